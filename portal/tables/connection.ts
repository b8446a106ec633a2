import { proxy, type Remote, wrap } from "comlink";
import { useEffect, useState } from "preact/hooks";
import { useSession } from "../session.ts";
import { language } from "../texts/texts.ts";
import type { KeptTable } from "./kept-tables.ts";
import type { TableWorker } from "./table-worker.ts";
import type { ColumnList, OpenedFile, ReportedProgress } from "./worker-messages.ts";
import { setRunning } from "./worker-slot.ts";

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
  readonly opened: OpenedFile;
  readonly columns: ColumnList;
  /** Whether its rows are shown; its columns are otherwise. */
  readonly isChecked: boolean;
  readonly holds: "cards" | "startList";
}

/** The worker that tables are read in. It goes on while other views are looked at. */
interface Connection {
  readonly key: string;
  readonly remote: Remote<TableWorker>;
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

function connect(key: string, owner: Parameters<TableWorker["begin"]>[0]): Connection {
  const worker = new Worker(addresses?.createScriptURL(TABLE_WORKER) ?? TABLE_WORKER);
  setRunning(worker);
  const connection: Connection = {
    key,
    remote: wrap<TableWorker>(worker),
    token: () => Promise.reject(new Error("The session has ended.")),
    pending: [],
    table: undefined,
    progress: undefined,
    listeners: new Set(),
  };
  const page = proxy({
    token: () => connection.token(),
    progress: (progress: ReportedProgress) => {
      connection.progress = progress;
      changed(connection);
    },
  });
  void connection.remote.begin(owner, page).then((pending) => {
    connection.pending = pending;
    changed(connection);
  });
  return connection;
}

/** The table that is open, its progress, and the worker that has its rows. Another account has another worker. */
export function useTables() {
  const { account, base, token } = useSession();
  const [, redraw] = useState(0);
  const key = `${base} ${account.username}`;
  if (current?.key !== key) {
    current = connect(key, {
      base,
      username: account.username,
      apiSet: account.apiSet,
      timeZone: account.timeZone,
      language,
    });
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
    setTable(table: OpenTable | undefined) {
      if (table === undefined) connection.progress = undefined;
      connection.table = table;
      changed(connection);
    },
    setPending(pending: Connection["pending"]) {
      connection.pending = pending;
      changed(connection);
    },
  };
}
