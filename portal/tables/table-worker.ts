import { describeStop, type TableProof } from "@scorecard-pipeline/card-files/proof";
import {
  createUnionMemory,
  fillRow,
  understandWithUnion,
} from "@scorecard-pipeline/card-files/reading/consult-union";
import type { Answers, GridFile, Reading } from "@scorecard-pipeline/card-files/reading/reading";
import { understandTable } from "@scorecard-pipeline/card-files/reading/understand-table";
import { proveRows } from "@scorecard-pipeline/card-files/table-cards";
import { missingFields } from "@scorecard-pipeline/card-files/table-words";
import { da } from "@scorecard-pipeline/card-files/words/da";
import { en, type TableTexts } from "@scorecard-pipeline/card-files/words/en";
import { ApiError, createClient, NoResponseError } from "@scorecard-pipeline/scorecards-client";
import { expose } from "comlink";
import { createTokenFetch } from "../base/token-fetch.ts";
import { callLater } from "./call-later.ts";
import { type KeptLayouts, openKeptLayouts } from "./kept-layouts.ts";
import { type KeptTable, type KeptTables, openKeptTables } from "./kept-tables.ts";
import { describeFile, type OpenReading, openReading } from "./open-reading.ts";
import { type OpenFile, openFile, type ReadTable, toReadTable } from "./open-table.ts";
import type { SentTournament } from "./sent-tournaments.ts";
import type { ShownRow } from "./shown-row.ts";
import type { RowFilter } from "./table-progress.ts";
import type { TableChanges } from "./table-row.ts";
import { createTableSession, type TableSession } from "./table-session.ts";
import { toWorkerFailure } from "./worker-failure.ts";
import type { OpenedFile, Owner, Page } from "./worker-messages.ts";

const languages: Readonly<Record<string, TableTexts>> = { en, da };

/** Between two messages about progress: more than this no one sees. */
const reportMilliseconds = 150;

/** Mends that follow one another are checked together. */
const mendMilliseconds = 400;

const keepMilliseconds = 300;

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Kept in memory only, by a browser that keeps nothing. */
const nothingKept: KeptTables = {
  journal: { known: 0, has: () => false, add: async () => undefined },
  pending: async () => [],
  table: async () => undefined,
  keep: async () => undefined,
  forget: async () => undefined,
};

const noLayouts: KeptLayouts = {
  find: async () => undefined,
  keep: async () => undefined,
  forget: async () => undefined,
};

/** A file that was read, while a person answers what is asked about it. */
interface Opened {
  readonly kind: "opened";
  readonly file: OpenFile;
  readonly reading: OpenReading;
  readonly read: Reading;
  readonly table: ReadTable;
  /** Whether an earlier visit has kept something of it. */
  readonly isResumed: boolean;
  /** What was mended in an earlier visit, or before it was read in another way. */
  readonly changes: TableChanges | undefined;
}

/** A table whose rows are checked, mended and sent. */
interface Checked extends Omit<Opened, "kind"> {
  readonly kind: "checked";
  readonly session: TableSession;
}

type TableState = { readonly kind: "closed" } | Opened | Checked;

/** What belongs to the account that has signed in. */
interface Account {
  readonly owner: Owner;
  readonly page: Page;
  readonly kept: KeptTables;
  readonly layouts: KeptLayouts;
  readonly client: ReturnType<typeof createTableClient>;
}

let state: TableState = { kind: "closed" };
/** A table is opened only after this, or its journal would keep nothing. */
const account = Promise.withResolvers<Account>();
/** What the union has said. */
const memory = createUnionMemory();

const currentSession = () => (state.kind === "checked" ? state.session : undefined);

/** Holds a lock while this worker lives: the browser gives it to the page when the worker has ended, for whatever reason. */
const holdLock = (name: string) =>
  new Promise<void>((resolve) => {
    const hold = () => {
      resolve();
      return new Promise<never>(() => undefined);
    };
    // Only a page of https, or of this machine, has locks.
    if (navigator.locks === undefined) resolve();
    else void navigator.locks.request(name, hold);
  });

async function report(): Promise<void> {
  const { page } = await account.promise;
  const session = currentSession();
  if (session === undefined) return;
  const { failure, ...progress } = session.progress();
  page.progress({ ...progress, ...(failure !== undefined && { failure: toWorkerFailure(failure) }) });
}

const reportSoon = callLater(reportMilliseconds, () => void report());

async function keepNow(): Promise<void> {
  if (state.kind !== "checked") return;
  const { file, reading, session } = state;
  const { accepted, leftOut, rows } = session.progress();
  if (accepted + leftOut === rows) return;
  const { kept } = await account.promise;
  await kept.keep(file.digest, {
    name: file.grid.name,
    rows,
    at: Date.now(),
    answers: reading.answers(),
    changes: session.changes(),
  });
}

const keepSoon = callLater(keepMilliseconds, () => void keepNow());

/** Forgets a table that is sent to its end. */
async function forgetIfSent(): Promise<void> {
  if (state.kind !== "checked") return;
  const { file, session } = state;
  const { accepted, leftOut, rows } = session.progress();
  const { kept } = await account.promise;
  if (accepted + leftOut === rows) await kept.forget(file.digest, session.sent());
}

function createTableClient({ base, username, apiSet }: Owner, page: Page) {
  return createClient({
    api: base,
    username,
    password: "",
    apiSet,
    fetch: createTokenFetch(() => page.token()),
  });
}

const textsOf = ({ language }: Owner): TableTexts => languages[language] ?? en;

/** Understands a file by what the union has. An account that may not look into it still gets what the file itself says. */
async function readWithUnion(grid: GridFile, answers: Answers): Promise<Reading> {
  const { owner, client } = await account.promise;
  const today = new Intl.DateTimeFormat("sv", { timeZone: owner.timeZone || "UTC" }).format(Date.now());
  const facts = { today, committee: textsOf(owner).committee };
  try {
    return await understandWithUnion(grid, answers, facts, client, memory);
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof NoResponseError)) throw error;
    return understandTable(grid, answers, { ...facts, courses: "unreadable" });
  }
}

/** Opens a file as it is read now. @returns what the page is told of it */
async function show(
  of: Pick<Opened, "file" | "reading" | "isResumed" | "changes">,
  read: Reading,
): Promise<OpenedFile> {
  const table = toReadTable(of.file.grid, read);
  state = { ...of, kind: "opened", read, table };
  const { owner } = await account.promise;
  return {
    ...describeFile(table, read, textsOf(owner)),
    answers: of.reading.answers(),
    isResumed: of.isResumed,
    recalled: of.reading.recalled(),
  };
}

/** What keeps a table from being checked, in sentences. */
function findProblems({ read, table }: Opened, proof: TableProof, texts: TableTexts): string | undefined {
  const stops = [...read.doubts, ...proof.stops].map((stop) => describeStop(stop, texts));
  if (stops.length > 0) return stops.join(" ");
  const lacking = missingFields(read.columns);
  return lacking.length === 0 || table.rows.length === 0 ? undefined : texts.lacking(lacking);
}

/** What the page asks its worker for. At most `maxRowsAtOnce` rows are in one answer. */
const worker = {
  /** @param life name of a lock that is held while this worker lives; @returns tables that were not sent to their end */
  async begin(
    owner: Owner,
    page: Page,
    life: string,
  ): Promise<readonly Pick<KeptTable, "name" | "rows" | "at">[]> {
    const names = [owner.base, owner.apiSet];
    const [kept, layouts] = await Promise.all([
      openKeptTables(names).catch(() => nothingKept),
      openKeptLayouts(names).catch(() => noLayouts),
    ]);
    account.resolve({ owner, page, kept, layouts, client: createTableClient(owner, page) });
    await holdLock(life);
    return (await kept.pending()).map(({ name, rows, at }) => ({ name, rows, at }));
  },

  /** Reads a file. Throws Error that says what is wrong with it. */
  async open(chosen: File): Promise<OpenedFile> {
    worker.close();
    const { kept, layouts } = await account.promise;
    const file = await openFile(chosen);
    const resumed = await kept.table(file.digest);
    const reading = await openReading(file.grid, layouts, (answers) => readWithUnion(file.grid, answers));
    const read = await reading.answer(resumed?.answers ?? {});
    return await show({ file, reading, isResumed: resumed !== undefined, changes: resumed?.changes }, read);
  },

  /** Reads the file again by what a person knows of it. @param answers undefined to be asked again what was answered for an earlier table */
  async answer(answers: Answers | undefined): Promise<OpenedFile | undefined> {
    if (state.kind === "closed") return undefined;
    const { file, reading, isResumed, changes } = state;
    const session = currentSession();
    const read = await (answers === undefined ? reading.askAgain() : reading.answer(answers));
    session?.stop();
    return await show({ file, reading, isResumed, changes: session?.changes() ?? changes }, read);
  },

  /** Names the answers that are kept for tables with the same headings. */
  async nameLayout(name: string): Promise<void> {
    if (state.kind !== "closed") await state.reading.keep(name);
  },

  /** Checks the rows. @returns what keeps them from being checked, in sentences */
  async check(): Promise<string | undefined> {
    if (state.kind === "closed") return undefined;
    const opened: Opened = { ...state, kind: "opened" };
    const { read, table, reading } = opened;
    const { owner, client, kept } = await account.promise;
    const texts = textsOf(owner);
    const proof = proveRows(read, table.kind, texts);
    const problem = findProblems(opened, proof, texts);
    if (problem !== undefined) return problem;
    const before = currentSession();
    const changes = before?.changes() ?? opened.changes;
    before?.stop();
    void reading.keep().catch(() => undefined);
    const session = createTableSession(
      { ...table, proof: { sums: proof.sums, tees: read.tees } },
      read.columns,
      {
        client,
        journal: kept.journal,
        texts,
        onChange: reportSoon,
        fill: (cells) => fillRow(read, cells, client, memory),
        pause: () => wait(mendMilliseconds),
      },
      changes,
    );
    state = { ...opened, kind: "checked", session };
    reportSoon();
    void session.check().then(forgetIfSent);
    return undefined;
  },

  list: (filter: RowFilter, from: number) =>
    currentSession()?.list(filter, from) ?? { total: 0, numbers: [] },

  rows: (numbers: readonly number[]): ShownRow[] => currentSession()?.show(numbers) ?? [],

  mend(number: number, texts: Readonly<Record<string, string>>): void {
    currentSession()?.mend(number, texts);
    keepSoon();
  },

  /** Makes rows ready that will not count, since a person has said so. */
  release: (): void => currentSession()?.release(),

  /** Lets rows replace delivered cards of other players, since a person has said so. */
  async allowCorrections(): Promise<void> {
    await currentSession()?.allowCorrections();
  },

  leaveOut(number: number, isLeftOut: boolean): void {
    currentSession()?.leaveOut(number, isLeftOut);
    keepSoon();
  },

  /** Sends what is ready, and follows the cards until each has an outcome. */
  async send(): Promise<void> {
    const session = currentSession();
    if (session === undefined) return;
    await keepNow();
    await session.send();
    await forgetIfSent();
    // Where it fails the states are as they were read last; the page's other views have them.
    void session.follow().catch(() => undefined);
  },

  /** Checks again what could not be checked. */
  async recheck(): Promise<void> {
    await currentSession()?.check();
  },

  tournaments: (): readonly SentTournament[] => currentSession()?.tournaments() ?? [],

  /** The table as it is now, mended, without rows that are left out. */
  csv: (): string => currentSession()?.csv() ?? "",

  /** Leaves the table; what is kept of it stays. */
  close(): void {
    currentSession()?.stop();
    state = { kind: "closed" };
  },

  /** Forgets a table that is not sent to its end, and closes it. */
  async discard(): Promise<void> {
    const { kept } = await account.promise;
    if (state.kind !== "closed") await kept.forget(state.file.digest, currentSession()?.sent() ?? []);
    worker.close();
  },
};

/** What the page may ask its worker for. */
export type TableWorker = typeof worker;

expose(worker);
