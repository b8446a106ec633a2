import { logError } from "./log.ts";
import { measure } from "./metrics.ts";

/** Logs an error that nothing here foresees, and counts it. */
export function reportUnexpected(error: unknown): void {
  logError({ message: "unexpected error" }, error);
  measure({ UnexpectedErrors: 1 });
}
