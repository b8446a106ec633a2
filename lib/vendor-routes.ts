import type { Integration, IResource, MethodOptions } from "aws-cdk-lib/aws-apigateway";

/** Both spellings of a path segment: as the union writes it, and in lower case, since its server ignores case. */
function spellings(segment: string): string[] {
  return segment.startsWith("{") ? [segment] : [...new Set([segment, segment.toLowerCase()])];
}

/**
 * Adds a method to a path below a resource, in every combination of its segments' spellings.
 *
 * @param path e.g. `Clubs/{clubId}/courses`
 */
export function addRoute(
  below: IResource,
  method: string,
  path: string,
  integration: Integration,
  options: MethodOptions = {},
): void {
  const [segment, ...rest] = path.split("/");
  if (segment === undefined || segment === "") {
    below.addMethod(method, integration, options);
    return;
  }
  for (const spelling of spellings(segment)) {
    const resource = below.getResource(spelling) ?? below.addResource(spelling);
    addRoute(resource, method, rest.join("/"), integration, options);
  }
}
