/** A resource of the API and its methods. */
export interface ResourceRoute<Method> {
  readonly resourceId: string;
  /** Such as /{apiset}/Clubs/{clubId} */
  readonly resourcePath: string;
  /** By HTTP method. */
  readonly methods: ReadonlyMap<string, Method>;
}

/** The resource and method that the router found for a request. */
export interface Match<Method> {
  readonly route: ResourceRoute<Method>;
  readonly method: Method;
  /** As sent: API Gateway decodes none of them. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

const toSegments = (path: string): string[] => path.split("/").filter(Boolean);

/** The path parameters of a request; undefined if it has another path. */
function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [place, segment] of segments.entries()) {
    const [, name] = /^\{(.+)\}$/.exec(pattern[place] ?? "") ?? [];
    if (name !== undefined) parameters[name] = segment;
    else if (pattern[place] !== segment) return undefined;
  }
  return parameters;
}

/**
 * Finds the method for a request. A fixed segment takes precedence over a path parameter. Empty segments are ignored.
 *
 * @returns undefined if the API has no such path or method
 */
export function createRouter<Method>(
  routes: readonly ResourceRoute<Method>[],
): (httpMethod: string, path: string) => Match<Method> | undefined {
  const patterns = routes
    .map((route) => ({ route, pattern: toSegments(route.resourcePath) }))
    // The brace of a parameter sorts after all that a fixed segment has in its place.
    .sort(({ route: one }, { route: other }) => (one.resourcePath < other.resourcePath ? -1 : 1));
  return (httpMethod, path) => {
    const segments = toSegments(path);
    for (const { route, pattern } of patterns) {
      const pathParameters = matchSegments(pattern, segments);
      if (pathParameters === undefined) continue;
      const method = route.methods.get(httpMethod);
      return method && { route, method, pathParameters };
    }
    return undefined;
  };
}
