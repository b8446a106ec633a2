let running: Worker | undefined;

/** Notes the worker that runs, if any, in place of the one before, which ends with all that it knows of a table. */
export function setRunning(worker: Worker | undefined): void {
  running?.terminate();
  running = worker;
}

/** Whether a worker is the one that is to run. */
export const isToRun = (worker: Worker | undefined): boolean => running === worker;
