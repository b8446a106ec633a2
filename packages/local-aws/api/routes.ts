/** A resource of the API and its methods. */
export interface ResourceRoute<Method> {
  readonly resourceId: string;
  /** Such as /{apiset}/Clubs/{clubId} */
  readonly resourcePath: string;
  /** By HTTP method; ANY stands for all others. */
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
  greedy: { name: string; node: Node<Method> } | undefined;
}

interface Segment {
  readonly text: string;
  /** Index of the segment in the path. */
  readonly start: number;
}

function emptyNode<Method>(): Node<Method> {
  return { route: undefined, fixed: new Map(), parameter: undefined, greedy: undefined };
}

function childFor<Method>(node: Node<Method>, part: string): Node<Method> {
  const [, name, plus] = /^\{(.+?)(\+?)\}$/.exec(part) ?? [];
  if (name === undefined) {
    const child = node.fixed.get(part) ?? emptyNode<Method>();
    node.fixed.set(part, child);
    return child;
  }
  const kind = plus === "+" ? "greedy" : "parameter";
  const known = node[kind];
  if (known !== undefined && known.name !== name) {
    throw new Error(
      `the path parameters {${known.name}} and {${name}} are siblings, which API Gateway refuses`,
    );
  }
  node[kind] ??= { name, node: emptyNode<Method>() };
  return node[kind].node;
}

function toSegments(path: string): Segment[] {
  return Array.from(path.matchAll(/[^/]+/g), (found) => ({ text: found[0], start: found.index }));
}

function find<Method>(
  node: Node<Method>,
  segments: readonly Segment[],
  path: string,
): { route: ResourceRoute<Method>; parameters: Record<string, string> } | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return node.route && { route: node.route, parameters: {} };
  const fixed = node.fixed.get(segment.text);
  const exact = fixed && find(fixed, rest, path);
  if (exact !== undefined) return exact;
  if (node.parameter !== undefined) {
    const { name, node: child } = node.parameter;
    const found = find(child, rest, path);
    if (found !== undefined) return { ...found, parameters: { [name]: segment.text, ...found.parameters } };
  }
  const route = node.greedy?.node.route;
  if (node.greedy === undefined || route === undefined) return undefined;
  return { route, parameters: { [node.greedy.name]: path.slice(segment.start).replace(/\/+$/, "") } };
}

/**
 * Finds the method for a request. A fixed segment takes precedence over a path parameter, and a path parameter over a
 * greedy one. Empty segments are ignored.
 *
 * @returns undefined if the API has no such path or method
 */
export function createRouter<Method>(
  routes: readonly ResourceRoute<Method>[],
): (httpMethod: string, path: string) => Match<Method> | undefined {
  const root = emptyNode<Method>();
  for (const route of routes) {
    let node = root;
    for (const { text } of toSegments(route.resourcePath)) node = childFor(node, text);
    if (route.methods.size > 0) node.route = route;
  }
  return (httpMethod, path) => {
    const found = find(root, toSegments(path), path);
    const method = found?.route.methods.get(httpMethod) ?? found?.route.methods.get("ANY");
    return found && method && { route: found.route, method, pathParameters: found.parameters };
  };
}
