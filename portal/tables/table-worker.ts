import { inOrder } from "@scorecard-pipeline/card-files/guess-columns";
import { describeStop } from "@scorecard-pipeline/card-files/proof";
import {
  createUnionMemory,
  fillRow,
  understandWithUnion,
} from "@scorecard-pipeline/card-files/reading/consult-union";
import type { Answers, GridFile, Reading } from "@scorecard-pipeline/card-files/reading/reading";
import { understandTable } from "@scorecard-pipeline/card-files/reading/understand-table";
import { columnsProblem, proveRows } from "@scorecard-pipeline/card-files/table-cards";
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
import { createTableSession, type TableSession } from "./table-session.ts";
import { toWorkerFailure } from "./worker-failure.ts";
import type { ChosenProblem, ColumnList, OpenedFile, Owner, Page } from "./worker-messages.ts";

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

let owner: Owner | undefined;
let page: Page | undefined;

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

/** A table is opened only after this, or its journal would keep nothing. */
let opening: Promise<void> = Promise.resolve();
let kept: KeptTables = nothingKept;
let table: (ReadTable & { readonly name: string; readonly digest: string }) | undefined;
let opened: (OpenFile & { readonly reading: OpenReading }) | undefined;
let read: Reading | undefined;
let layouts: KeptLayouts = noLayouts;
const memory = createUnionMemory();
let resumed: KeptTable | undefined;
let chosen: ColumnList = [];
let session: TableSession | undefined;

const reportSoon = callLater(reportMilliseconds, () => {
  if (session === undefined) return;
  const { failure, ...progress } = session.progress();
  page?.progress({ ...progress, ...(failure !== undefined && { failure: toWorkerFailure(failure) }) });
});

async function keepNow(): Promise<void> {
  if (table === undefined || session === undefined) return;
  const { accepted, leftOut, rows } = session.progress();
  if (accepted + leftOut === rows) return;
  await kept.keep(table.digest, {
    name: table.name,
    rows,
    at: Date.now(),
    columns: chosen,
    ...(opened && { answers: opened.reading.answers() }),
    changes: session.changes(),
  });
}

const keepSoon = callLater(keepMilliseconds, () => void keepNow());

/** Forgets a table that is sent to its end. */
async function forgetIfSent(): Promise<void> {
  if (table === undefined || session === undefined) return;
  const { accepted, leftOut, rows } = session.progress();
  if (accepted + leftOut === rows) await kept.forget(table.digest, session.sent());
}

function createTableClient({ base, username, apiSet }: Owner) {
  return createClient({
    api: base,
    username,
    password: "",
    apiSet,
    fetch: createTokenFetch(async () => (await page?.token()) ?? ""),
  });
}

/** Understands a file by what the union has. An account that may not look into it still gets what the file itself says. */
async function readWithUnion(grid: GridFile, answers: Answers): Promise<Reading> {
  const zone = owner?.timeZone ?? "";
  const today = new Intl.DateTimeFormat("sv", { timeZone: zone || "UTC" }).format(Date.now());
  const facts = { today };
  if (owner === undefined) return understandTable(grid, answers, facts);
  try {
    return await understandWithUnion(grid, answers, facts, createTableClient(owner), memory);
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof NoResponseError)) throw error;
    return understandTable(grid, answers, { ...facts, courses: "unreadable" });
  }
}

const textsOfOwner = (): TableTexts => languages[owner?.language ?? ""] ?? en;

/** What the page is told of the open file as it is read now. */
function describe({ grid, digest, reading }: NonNullable<typeof opened>, found: Reading): OpenedFile {
  read = found;
  table = { ...toReadTable(grid, found), digest, name: grid.name };
  return {
    ...describeFile(table, found, textsOfOwner()),
    answers: reading.answers(),
    isResumed: resumed !== undefined,
    recalled: reading.recalled(),
  };
}

/** What the page asks its worker for. At most `maxRowsAtOnce` rows are in one answer. */
const worker = {
  /** @param life name of a lock that is held while this worker lives; @returns tables that were not sent to their end */
  async begin(
    of: Owner,
    asking: Page,
    life: string,
  ): Promise<readonly Pick<KeptTable, "name" | "rows" | "at">[]> {
    owner = of;
    page = asking;
    const account = [of.base, of.apiSet];
    opening = Promise.all([
      openKeptTables(account).catch(() => nothingKept),
      openKeptLayouts(account).catch(() => noLayouts),
    ]).then((opened) => {
      [kept, layouts] = opened;
    });
    await Promise.all([opening, holdLock(life)]);
    return (await kept.pending()).map(({ name, rows, at }) => ({ name, rows, at }));
  },

  /** Reads a file. Throws Error that says what is wrong with it. */
  async open(file: File): Promise<OpenedFile> {
    worker.close();
    await opening;
    const { grid, digest } = await openFile(file);
    resumed = await kept.table(digest);
    const reading = await openReading(grid, layouts, (answers) => readWithUnion(grid, answers));
    opened = { grid, digest, reading };
    const described = describe(opened, await reading.answer(resumed?.answers ?? {}));
    return resumed === undefined ? described : { ...described, columns: resumed.columns };
  },

  /** Reads the file again by what a person knows of it. @param answers undefined to be asked again what was answered for an earlier table */
  async answer(answers: Answers | undefined): Promise<OpenedFile | undefined> {
    if (opened === undefined) return undefined;
    const { reading } = opened;
    return describe(opened, await (answers === undefined ? reading.askAgain() : reading.answer(answers)));
  },

  /** Names the answers that are kept for tables with the same headings. */
  async nameLayout(name: string): Promise<void> {
    await opened?.reading.keep(name);
  },

  /** Checks the rows with these columns. @returns what keeps them from being used */
  async check(columns: ColumnList): Promise<ChosenProblem | undefined> {
    if (table === undefined || owner === undefined || read === undefined) return undefined;
    const [of, understood] = [owner, read];
    const used = inOrder(new Map(columns));
    const problem = columnsProblem(table.header, used);
    if (problem !== undefined) return problem;
    const lacking = missingFields(used);
    if (lacking.length > 0) return { kind: "lacking", columns: lacking };
    const texts = textsOfOwner();
    const { stops, sums } = proveRows({ ...understood, columns: used }, table.kind, texts);
    if (stops.length > 0) return { kind: "stopped", columns: stops.map((stop) => describeStop(stop, texts)) };
    const changes = session?.changes() ?? resumed?.changes;
    session?.stop();
    chosen = [...used];
    void opened?.reading.keep().catch(() => undefined);
    session = createTableSession(
      { ...table, proof: { sums, tees: understood.tees } },
      used,
      {
        client: createTableClient(of),
        journal: kept.journal,
        texts,
        onChange: reportSoon,
        fill: (cells) => fillRow(understood, cells, createTableClient(of), memory),
        pause: () => wait(mendMilliseconds),
      },
      changes,
    );
    reportSoon();
    void session.check().then(forgetIfSent);
    return undefined;
  },

  list: (filter: RowFilter, from: number) => session?.list(filter, from) ?? { total: 0, numbers: [] },

  rows: (numbers: readonly number[]): ShownRow[] => session?.show(numbers) ?? [],

  mend(number: number, texts: Readonly<Record<string, string>>): void {
    session?.mend(number, texts);
    keepSoon();
  },

  /** Makes rows ready that will not count, since a person has said so. */
  release: (): void => session?.release(),

  /** Lets rows replace delivered cards of other players, since a person has said so. */
  async allowCorrections(): Promise<void> {
    await session?.allowCorrections();
  },

  leaveOut(number: number, isLeftOut: boolean): void {
    session?.leaveOut(number, isLeftOut);
    keepSoon();
  },

  /** Sends what is ready, and follows the cards until each has an outcome. */
  async send(): Promise<void> {
    const sending = session;
    if (sending === undefined) return;
    await keepNow();
    await sending.send();
    await forgetIfSent();
    // Where it fails the states are as they were read last; the page's other views have them.
    void sending.follow().catch(() => undefined);
  },

  /** Checks again what could not be checked. */
  async recheck(): Promise<void> {
    await session?.check();
  },

  tournaments: (): readonly SentTournament[] => session?.tournaments() ?? [],

  /** The table as it is now, mended, without rows that are left out. */
  csv: (): string => session?.csv() ?? "",

  /** Leaves the table; what is kept of it stays. */
  close(): void {
    session?.stop();
    session = undefined;
    table = undefined;
    opened = undefined;
    read = undefined;
    resumed = undefined;
  },

  /** Forgets a table that is not sent to its end, and closes it. */
  async discard(): Promise<void> {
    if (table !== undefined) await kept.forget(table.digest, session?.sent() ?? []);
    worker.close();
  },
};

/** What the page may ask its worker for. */
export type TableWorker = typeof worker;

expose(worker);
