import db, { type Callback, type TableDescription } from "dynalite/db/index.js";

/**
 * Has dynalite keep the descriptions of its tables at hand. For each item that is read or written it would get its table's
 * from its database once more and parse it, which is a third of what an item takes.
 */
export function keepTableDescriptions(): void {
  const { create } = db;
  db.create = (options) => {
    const store = create(options);
    const { tableDb } = store;
    const active = new Map<string, TableDescription>();
    let changes = 0;
    const forget = () => {
      active.clear();
      changes += 1;
    };
    /** What is read while it changes may be of before or after. */
    const forgetting = (done: Callback): Callback => {
      forget();
      return (error) => {
        forget();
        done(error);
      };
    };
    return {
      ...store,
      tableDb: {
        ...tableDb,
        put: (table, description, done) => tableDb.put(table, description, forgetting(done)),
        del: (table, done) => tableDb.del(table, forgetting(done)),
      },
      getTable(table, checkStatus, done) {
        // Whoever takes one that is not active is about to change it.
        if (checkStatus === false) return store.getTable(table, false, done);
        const known = active.get(table);
        if (known !== undefined) return checkStatus(null, known);
        const before = changes;
        store.getTable(table, (error, found) => {
          if (found?.TableStatus === "ACTIVE" && before === changes) active.set(table, found);
          checkStatus(error, found);
        });
      },
    };
  };
}
