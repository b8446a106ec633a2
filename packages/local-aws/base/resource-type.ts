import type { ResourceValues } from "../template/intrinsics.ts";

/** A resource of the template whose properties have been resolved. */
export interface DeclaredResource {
  readonly logicalId: string;
  readonly type: string;
  /** The generated name, used if the template gives none; the same in every run. */
  readonly physicalName: string;
  /** Path of its construct without the stack's id; the logical id if the template has no path. */
  readonly path: string;
  readonly properties: unknown;
}

/** Creates one resource. An unknown property is an error: none is ignored. */
export type ResourceType = (resource: DeclaredResource) => Promise<ResourceValues> | ResourceValues;
