let running: Worker | undefined;

/** Notes the worker that runs, in place of the one before, which ends. */
export function setRunning(worker: Worker | undefined): void {
  running?.terminate();
  running = worker;
}

/** Whether a worker is the one that is to run. */
export const isToRun = (worker: Worker | undefined): boolean => running === worker;

/** Ends the work on tables, with all that is known of them. */
export function endTables(): void {
  setRunning(undefined);
}
