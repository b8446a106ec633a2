import { exitCode } from "./base/exit-code.ts";

/**
 * Ends the process quietly once nobody reads its output any more, as in `scorecards reconcile cards.json | head -1`; Node
 * would print a stack otherwise. Other errors of the streams are thrown as before.
 */
export function endOnClosedOutput(own: NodeJS.Process): void {
  for (const stream of [own.stdout, own.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      own.exit(exitCode.unfinished);
    });
  }
}
