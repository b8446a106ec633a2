import { createHash } from "node:crypto";
import type { AwsEnvironment } from "../base/environment.ts";

/** An id as short as API Gateway's, the same in every run. @param name unique in the stack */
export function shortId(environment: AwsEnvironment, name: string): string {
  return createHash("sha256").update(`${environment.stackName}/${name}`).digest("hex").slice(0, 10);
}
