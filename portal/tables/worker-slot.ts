let running: Worker | undefined;

/** Notes the worker that runs, in place of the one before, which ends. */
export function setRunning(worker: Worker | undefined): void {
  running?.terminate();
  running = worker;
}

/** Whether a worker is the one that is to run. */
export const isToRun = (worker: Worker | undefined): boolean => running === worker;

/** Databases in which earlier versions kept corrected rows and answers. */
const formerDatabases = ["scorecards-tables", "scorecards-layouts"];

/** Ends the work on tables, with all that is known of them. */
export function endTables(): void {
  setRunning(undefined);
  // A browser that keeps nothing for this page may refuse even this.
  try {
    for (const name of formerDatabases) indexedDB.deleteDatabase(name);
  } catch (error) {
    console.warn(error);
  }
}
