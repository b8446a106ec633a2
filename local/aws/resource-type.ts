import type { ResourceValues } from "./template/intrinsics.ts";

/** A resource of the template whose properties have been resolved. */
export interface DeclaredResource {
  readonly logicalId: string;
  readonly type: string;
  /** Name CloudFormation would make up for it, the same at every run. */
  readonly physicalName: string;
  /** Path of its construct without the stack's own id, or the logical id where the template has none. */
  readonly path: string;
  readonly properties: unknown;
}

/** Brings up one resource. Properties it does not know are an error, so that none goes unheeded. */
export type ResourceType = (resource: DeclaredResource) => Promise<ResourceValues> | ResourceValues;
