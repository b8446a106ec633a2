import { type OperationId, type Route, routes } from "../api/routes.ts";

/** One operation with the paths at which it is served. */
export interface ServedOperation {
  readonly operationId: OperationId;
  readonly route: Route;
  /** Every spelling of the route's path. */
  readonly paths: readonly string[];
}

/** Every operation of the API with its paths. */
export const servedOperations: readonly ServedOperation[] = (Object.keys(routes) as OperationId[]).map(
  (operationId) => {
    const route: Route = routes[operationId];
    return { operationId, route, paths: route.everySpelling ? spellings(route.path) : [route.path] };
  },
);

/** Whether an operation is for vendors, below their API set. */
export const isVendors = ({ path }: Route): boolean => path.startsWith("/{apiset}/");

/**
 * A path with each fixed segment as it is written and in lower case, since the union's server ignores case.
 *
 * @param path e.g. `/{apiset}/Clubs/{clubId}`
 */
export function spellings(path: string): string[] {
  const [segment, ...rest] = path.split("/");
  if (segment === undefined) return [];
  const own = segment.startsWith("{") ? [segment] : [...new Set([segment, segment.toLowerCase()])];
  if (rest.length === 0) return own;
  const below = spellings(rest.join("/"));
  return own.flatMap((spelling) => below.map((end) => `${spelling}/${end}`));
}

/** The most resources that API Gateway allows in an API. @see API Gateway quotas, Resources per API */
export const maxResources = 300;

/** The resources that API Gateway makes for paths: one for each path, for each path above one, and the root. */
export function resourcesOf(paths: Iterable<string>): Set<string> {
  const resources = new Set(["/"]);
  for (const path of paths) {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
      resources.add(path.slice(0, end));
    }
  }
  return resources;
}
