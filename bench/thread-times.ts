import { readdirSync, readFileSync } from "node:fs";
import { stackName } from "../lib/stage-settings.ts";

/** The kernel counts a thread's time in ticks of this many milliseconds. @see proc(5), sysconf(_SC_CLK_TCK) */
const millisecondsOfTick = 10;
/** Names of the threads that functions share, and of those that one function has alone. The kernel keeps 15 characters of a name. */
const namesOfFunctions = ["functions", stackName("test").slice(0, 15)];

/** Processor time of a process since it began, in milliseconds. */
export interface ThreadTimes {
  /** Of the threads of functions. A thread that has ended is no longer counted. */
  readonly functions: number;
  /** Of everything else: the emulation of AWS. */
  readonly emulation: number;
}

/** Reads how long the threads of a local run have worked; on Linux only. */
export function threadTimes(pid: number): ThreadTimes {
  const times = { functions: 0, emulation: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    times[namesOfFunctions.includes(name) ? "functions" : "emulation"] += ticks * millisecondsOfTick;
  }
  return times;
}
