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

interface Node<Method> {
  route: ResourceRoute<Method> | undefined;
  readonly fixed: Map<string, Node<Method>>;
  parameter: { name: string; node: Node<Method> } | undefined;
}

function emptyNode<Method>(): Node<Method> {
  return { route: undefined, fixed: new Map(), parameter: undefined };
}

function childFor<Method>(node: Node<Method>, part: string): Node<Method> {
  const [, name] = /^\{([^+]+)\}$/.exec(part) ?? [];
  if (name === undefined) {
    const child = node.fixed.get(part) ?? emptyNode<Method>();
    node.fixed.set(part, child);
    return child;
  }
  const known = node.parameter;
  if (known !== undefined && known.name !== name) {
    throw new Error(
      `the path parameters {${known.name}} and {${name}} are siblings, which API Gateway refuses`,
    );
  }
  node.parameter ??= { name, node: emptyNode<Method>() };
  return node.parameter.node;
}

const toSegments = (path: string): string[] => path.split("/").filter(Boolean);

function find<Method>(
  node: Node<Method>,
  segments: readonly string[],
): { route: ResourceRoute<Method>; parameters: Record<string, string> } | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return node.route && { route: node.route, parameters: {} };
  const fixed = node.fixed.get(segment);
  const exact = fixed && find(fixed, rest);
  if (exact !== undefined) return exact;
  if (node.parameter === undefined) return undefined;
  const { name, node: child } = node.parameter;
  const found = find(child, rest);
  return found && { ...found, parameters: { [name]: segment, ...found.parameters } };
}

/**
 * Finds the method for a request. A fixed segment takes precedence over a path parameter. Empty segments are ignored.
 *
 * @returns undefined if the API has no such path or method
 */
export function createRouter<Method>(
  routes: readonly ResourceRoute<Method>[],
): (httpMethod: string, path: string) => Match<Method> | undefined {
  const root = emptyNode<Method>();
  for (const route of routes) {
    let node = root;
    for (const segment of toSegments(route.resourcePath)) node = childFor(node, segment);
    if (route.methods.size > 0) node.route = route;
  }
  return (httpMethod, path) => {
    const found = find(root, toSegments(path));
    const method = found?.route.methods.get(httpMethod);
    return found && method && { route: found.route, method, pathParameters: found.parameters };
  };
}
