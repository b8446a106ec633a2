import type { ProgressStream } from "../client/progress-display.ts";

/** Where the command speaks: results to stdout, everything else to stderr. */
export interface Terminal {
  /** One line of a result. */
  result(line: string): void;
  /** One line for whoever waits. */
  note(line: string): void;
  /** For a progress display. */
  readonly progress: ProgressStream;
  /** Ends with Ctrl-C. */
  readonly signal: AbortSignal;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => interrupted.abort(new Error("It was interrupted.")));
  }
  return {
    result: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    progress: process.stderr,
    signal: interrupted.signal,
  };
}
