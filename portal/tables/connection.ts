import { proxy, type Remote, wrap } from "comlink";
import { useEffect, useState } from "preact/hooks";
import { useSession } from "../base/session.ts";
import { language } from "../texts/texts.ts";
import type { KeptTable } from "./kept-tables.ts";
import type { TableWorker } from "./table-worker.ts";
import type { OpenedFile, Owner, ReportedProgress } from "./worker-messages.ts";
import { isToRun, setRunning } from "./worker-slot.ts";

/** Address of the worker's script. lib/bundles.ts puts it in. */
declare const TABLE_WORKER: string;

/** The part of the Trusted Types API that is used here; Safari and Firefox may have none. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string };
}

/** The page's policy lets only this one make addresses of scripts, and this one makes no other. */
const addresses = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
  "table-worker",
  {
    createScriptURL(address) {
      if (address !== TABLE_WORKER) throw new TypeError("There is one worker.");
      return address;
    },
  },
);

/** A table that is open, or none. */
export interface OpenTable {
  readonly name: string;
  /** To read it again if the worker has ended. */
  readonly file: File;
  readonly opened: OpenedFile;
  /** Whether its rows are shown; its columns are otherwise. */
  readonly isChecked: boolean;
}

/** The worker that tables are read in. It goes on while other views are looked at. */
interface Connection {
  readonly key: string;
  readonly owner: Owner;
  remote: Remote<TableWorker>;
  /** Rejects when the worker has ended, whose answers never come then. */
  death: Promise<never>;
  isDead: boolean;
  /** What was typed into the rows of the open table, for a worker in place of one that has ended. */
  typed: ((remote: Remote<TableWorker>) => Promise<unknown>)[];
  token: () => Promise<string>;
  pending: readonly Pick<KeptTable, "name" | "rows" | "at">[];
  table: OpenTable | undefined;
  progress: ReportedProgress | undefined;
  /** Called when any of it changes. */
  readonly listeners: Set<() => void>;
}

function changed({ listeners }: Connection): void {
  for (const listener of listeners) listener();
}

let current: Connection | undefined;

/** Starts a worker for a connection. */
function startWorker(connection: Connection): void {
  const worker = new Worker(addresses?.createScriptURL(TABLE_WORKER) ?? TABLE_WORKER);
  setRunning(worker);
  const life = crypto.randomUUID();
  const death = Promise.withResolvers<never>();
  death.promise.catch(() => undefined);
  const end = () => {
    // Signing out has ended it: whoever signs in next begins with another.
    if (!isToRun(worker) && current === connection) current = undefined;
    if (!isToRun(worker)) return;
    connection.isDead = true;
    connection.progress = undefined;
    death.reject(new Error("The worker has ended."));
    changed(connection);
  };
  // A script that cannot be loaded is told only so.
  let hasBegun = false;
  worker.addEventListener("error", () => hasBegun || end());
  const page = proxy({
    token: () => connection.token(),
    progress: (progress: ReportedProgress) => {
      connection.progress = progress;
      changed(connection);
    },
  });
  Object.assign(connection, { remote: wrap<TableWorker>(worker), death: death.promise, isDead: false });
  void connection.remote.begin(connection.owner, page, life).then((pending) => {
    hasBegun = true;
    void navigator.locks?.request(life, end);
    connection.pending = pending;
    changed(connection);
  });
}

function connect(key: string, owner: Owner): Connection {
  const connection = {
    key,
    owner,
    token: () => Promise.reject(new Error("The session has ended.")),
    pending: [],
    typed: [],
    table: undefined,
    progress: undefined,
    listeners: new Set(),
  } as unknown as Connection;
  startWorker(connection);
  return connection;
}

/** Reads the open table in a new worker, and repeats there what the person typed. */
async function revive(connection: Connection): Promise<void> {
  startWorker(connection);
  const { table, remote, typed } = connection;
  if (table === undefined) return changed(connection);
  const read = async () => {
    await remote.open(table.file);
    await remote.answer(table.opened.answers);
    if (table.isChecked) await remote.check();
    for (const type of typed) await type(remote);
  };
  await Promise.race([read(), connection.death]);
  changed(connection);
}

/** The table that is open, its progress, and the worker that has its rows. Another account has another worker. */
export function useTables() {
  const { account, base, token } = useSession();
  const [, redraw] = useState(0);
  const key = `${base} ${account.username}`;
  if (current?.key !== key) {
    const { username, apiSet, timeZone } = account;
    current = connect(key, { base, username, apiSet, timeZone, language });
  }
  const connection = current;
  connection.token = token;
  useEffect(() => {
    const onChange = () => redraw((count) => count + 1);
    connection.listeners.add(onChange);
    return () => {
      connection.listeners.delete(onChange);
    };
  }, [connection]);
  return {
    remote: connection.remote,
    pending: connection.pending,
    table: connection.table,
    progress: connection.progress,
    isDead: () => connection.isDead,
    /** The worker's answer, or Error if it ends before. */
    ask: <Answer>(act: (remote: Remote<TableWorker>) => Promise<Answer>): Promise<Answer> =>
      Promise.race([act(connection.remote), connection.death]),
    revive: () => revive(connection),
    /** Has the worker note what a person typed into a row. */
    type<Answer>(act: (remote: Remote<TableWorker>) => Promise<Answer>): Promise<Answer> {
      connection.typed.push(act);
      return act(connection.remote);
    },
    setTable(table: OpenTable | undefined) {
      if (table === undefined) connection.progress = undefined;
      if (table?.file !== connection.table?.file) connection.typed = [];
      connection.table = table;
      changed(connection);
    },
    setPending(pending: Connection["pending"]) {
      connection.pending = pending;
      changed(connection);
    },
  };
}
