import type { Operation } from "../operation.ts";
import { operations } from "../operations.ts";

/** An operation as an account's page shows it: without its schemas, which make most of a bundle. */
export type ShownOperation = Pick<
  Operation,
  "method" | "path" | "operationId" | "resource" | "playerToken" | "summary" | "description"
>;

/** The operations that an account can be granted. */
export function listShownOperations(): ShownOperation[] {
  return operations
    .filter(({ resource }) => resource !== undefined)
    .map(({ method, path, operationId, resource, playerToken, summary, description }) => ({
      method,
      path,
      operationId,
      ...(resource !== undefined && { resource }),
      ...(playerToken && { playerToken }),
      summary,
      description,
    }));
}
