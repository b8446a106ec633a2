export { readStack } from "./cloud-assembly.ts";
export { type ResourceValues, resolve } from "./intrinsics.ts";
