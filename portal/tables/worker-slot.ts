/** Name of the database in which the worker keeps what a table needs to be gone on with. */
export const keptDatabase = "scorecards-tables";

let running: Worker | undefined;

/** Notes the worker that runs, in place of the one before, which ends. */
export function setRunning(worker: Worker | undefined): void {
  running?.terminate();
  running = worker;
}

/** Whether a worker is the one that is to run. */
export const isToRun = (worker: Worker): boolean => running === worker;

/** Ends the work on tables, and deletes all that the browser keeps of them, of every account. */
export function endTables(): void {
  setRunning(undefined);
  // A browser that keeps nothing for this page may refuse even this.
  try {
    indexedDB.deleteDatabase(keptDatabase);
  } catch (error) {
    console.warn(error);
  }
}
