import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects the garbage of this thread's heap, and returns its memory to the operating system: V8 itself does that only under load. */
export function collectGarbage(): void {
  // It stays set: the flag is the process's, and another thread may be about to use it.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: object) => void;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
