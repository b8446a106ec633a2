import { proxy, type Remote, wrap } from "comlink";
import { useEffect, useState } from "preact/hooks";
import { useSession } from "../base/session.ts";
import { language } from "../texts/texts.ts";
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
  readonly opened: OpenedFile;
  /** Whether its rows are shown; its columns are otherwise. */
  readonly isChecked: boolean;
}

/** The worker that tables are read in. It goes on while other views are looked at. */
interface Connection {
  readonly key: string;
  readonly owner: Owner;
  /** Undefined until the first file is chosen: its script has a reader of workbooks. */
  started: { readonly worker: Worker; readonly remote: Remote<TableWorker> } | undefined;
  token: () => Promise<string>;
  table: OpenTable | undefined;
  progress: ReportedProgress | undefined;
  /** Called when any of it changes. */
  readonly listeners: Set<() => void>;
}

let current: Connection | undefined;

function reportChange({ listeners }: Connection): void {
  for (const listener of listeners) listener();
}

function startWorker(connection: Connection): Remote<TableWorker> {
  if (connection.started !== undefined) return connection.started.remote;
  const worker = new Worker(addresses?.createScriptURL(TABLE_WORKER) ?? TABLE_WORKER);
  setRunning(worker);
  const remote = wrap<TableWorker>(worker);
  connection.started = { worker, remote };
  const page = proxy({
    token: () => connection.token(),
    progress: (progress: ReportedProgress) => {
      connection.progress = progress;
      reportChange(connection);
    },
  });
  void remote.begin(connection.owner, page);
  return remote;
}

/** Has the worker read a file. @throws Error of the file, or "" if the worker's script cannot be run */
async function openFile(connection: Connection, file: File): Promise<OpenedFile | undefined> {
  const remote = startWorker(connection);
  const failed = Promise.withResolvers<never>();
  connection.started?.worker.addEventListener("error", () => {
    connection.started = undefined;
    failed.reject(new Error(""));
  });
  return await Promise.race([remote.open(file), failed.promise]);
}

/** The table that is open, its progress, and the worker that has its rows. Another account has another worker. */
export function useTables() {
  const { account, base, token } = useSession();
  const [, redraw] = useState(0);
  const key = `${base} ${account.username}`;
  // Signing out has ended it: who signs in next begins with another.
  const hasEnded = current?.started !== undefined && !isToRun(current.started.worker);
  if (current === undefined || current.key !== key || hasEnded) {
    const { username, apiSet, timeZone } = account;
    const owner = { base, username, apiSet, timeZone, language };
    const listeners = new Set<() => void>();
    current = { key, owner, started: undefined, token, table: undefined, progress: undefined, listeners };
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
    get remote() {
      return startWorker(connection);
    },
    table: connection.table,
    progress: connection.progress,
    open: (file: File) => openFile(connection, file),
    setTable(table: OpenTable | undefined) {
      if (table === undefined) connection.progress = undefined;
      connection.table = table;
      reportChange(connection);
    },
  };
}
