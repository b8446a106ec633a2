import { describeStop } from "@scorecard-pipeline/card-files/proof";
import {
  createUnionMemory,
  fillRow,
  understandWithUnion,
} from "@scorecard-pipeline/card-files/reading/consult-union";
import { readGridFile } from "@scorecard-pipeline/card-files/reading/read-grid-file";
import type { Answers, GridFile, Reading } from "@scorecard-pipeline/card-files/reading/reading";
import type { TextEncoding } from "@scorecard-pipeline/card-files/reading/text-encoding";
import { understandTable } from "@scorecard-pipeline/card-files/reading/understand-table";
import { proveRows } from "@scorecard-pipeline/card-files/table-cards";
import { missingFields } from "@scorecard-pipeline/card-files/table-words";
import { en, type TableTexts } from "@scorecard-pipeline/card-files/words/en";
import { ApiError, createClient, NoResponseError } from "@scorecard-pipeline/scorecards-client";
import { expose } from "comlink";
import { createTokenFetch } from "../base/token-fetch.ts";
import { da } from "../texts/tables/table-words-da.ts";
import { describeFile } from "./describe-file.ts";
import { type ReadTable, toReadTable } from "./read-table.ts";
import { findSentTournaments, type SentTournament } from "./sent-tournaments.ts";
import type { ShownRow } from "./shown-row.ts";
import { listRows, type RowFilter } from "./table-progress.ts";
import { collectChanges, type TableChanges } from "./table-row.ts";
import {
  allowCorrections,
  checkRows,
  confirmWarning,
  countProgress,
  createTableSession,
  followRows,
  leaveOutRow,
  mendRow,
  releaseRows,
  sendRows,
  showRows,
  type TableSession,
  writeRows,
} from "./table-session.ts";
import type { OpenedFile, Owner, Page, WorkerFailure } from "./worker-messages.ts";

const languages: Readonly<Record<string, TableTexts>> = { en, da };

/** Between two messages about progress: more than this no one sees. */
const reportMilliseconds = 150;

/** Mends that follow one another are checked together. */
const mendMilliseconds = 400;

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** A file that was read, while a person answers what is asked about it. */
interface Opened {
  readonly file: File;
  readonly grid: GridFile;
  readonly answers: Answers;
  readonly read: Reading;
  readonly table: ReadTable;
  /** What was mended before it was read in another way. */
  readonly changes: TableChanges | undefined;
}

/** What belongs to the account that has signed in. */
interface Account {
  readonly page: Page;
  readonly texts: TableTexts;
  readonly timeZone: string;
  readonly client: ReturnType<typeof createClient>;
}

let opened: Opened | undefined;
/** Of a table whose rows are checked, mended and sent. */
let session: TableSession | undefined;
let account: Account;
/** What the union has said. */
const memory = createUnionMemory();

/** Makes a function that does something with the rows of the open table, and nothing if none is open. */
const withSession =
  <Given extends unknown[], Result>(act: (session: TableSession, ...given: Given) => Result) =>
  (...given: Given): Result | undefined =>
    session === undefined ? undefined : act(session, ...given);

function toWorkerFailure(cause: unknown): WorkerFailure {
  if (cause instanceof NoResponseError) return { kind: "unreachable" };
  if (!(cause instanceof ApiError)) return { kind: "other", detail: (cause as Error).message };
  const { status, problem } = cause;
  if (status === 401) return { kind: "expired" };
  if (status === 403) return { kind: "forbidden" };
  if (status === 429) return { kind: "busy" };
  return status >= 500 ? { kind: "server" } : { kind: "other", detail: problem?.detail ?? cause.message };
}

let isToReport = false;

/** Reports progress a moment later, once for all changes until then. */
function reportSoon(): void {
  if (isToReport) return;
  isToReport = true;
  setTimeout(() => {
    isToReport = false;
    if (session === undefined) return;
    const { failure, ...progress } = countProgress(session);
    account.page.progress({
      ...progress,
      ...(failure !== undefined && { failure: toWorkerFailure(failure) }),
    });
  }, reportMilliseconds);
}

/** Understands a file by what the union has. An account that may not look into it still gets what the file itself says. */
async function readWithUnion(grid: GridFile, answers: Answers): Promise<Reading> {
  const { timeZone, texts, client } = account;
  const today = new Intl.DateTimeFormat("sv", { timeZone: timeZone || "UTC" }).format(Date.now());
  const facts = { today, committee: texts.committee };
  try {
    return await understandWithUnion(grid, answers, facts, client, memory);
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof NoResponseError)) throw error;
    return understandTable(grid, answers, { ...facts, courses: "unreadable" });
  }
}

const readGrid = async (file: File, encoding?: string) =>
  readGridFile(new Uint8Array(await file.arrayBuffer()), file.name, encoding as TextEncoding);

/** Opens a file as it is read by some answers. @returns what the page is told of it */
async function show(
  file: File,
  grid: GridFile,
  answers: Answers,
  changes?: TableChanges,
): Promise<OpenedFile> {
  const read = await readWithUnion(grid, answers);
  const table = toReadTable(grid, read);
  session?.stopped.abort();
  session = undefined;
  opened = { file, grid, answers, read, table, changes };
  return { ...describeFile(table, read, account.texts), answers, encoding: grid.encoding };
}

/** What was mended so far. */
const changesSoFar = ({ changes }: Opened) =>
  session === undefined ? changes : collectChanges(session.rows);

/** What keeps a table from being checked, in sentences; or by what its rows are proved. */
function proveOpened({ read, table }: Opened): { readonly problem: string } | ReadTable["proof"] {
  const { texts } = account;
  const proof = proveRows(read, table.kind, texts);
  const stops = [...new Set(proof.stops.map((stop) => describeStop(stop, texts)))];
  if (stops.length > 0) return { problem: stops.join(" ") };
  const lacking = table.rows.length === 0 ? [] : missingFields(read.columns);
  return lacking.length > 0 ? { problem: texts.lacking(lacking) } : { sums: proof.sums, tees: read.tees };
}

/** What the page asks its worker for. */
const worker = {
  begin({ base, username, apiSet, timeZone, language }: Owner, page: Page): void {
    const fetch = createTokenFetch(() => page.token());
    const client = createClient({ api: base, username, password: "", apiSet, fetch });
    account = { page, texts: languages[language] ?? en, timeZone, client };
  },

  /** Reads a file. Throws Error that says what is wrong with it. */
  async open(file: File): Promise<OpenedFile> {
    worker.close();
    return await show(file, await readGrid(file), {});
  },

  /** Reads the file again by what a person knows of it. */
  async answer(answers: Answers): Promise<OpenedFile | undefined> {
    if (opened === undefined) return undefined;
    const { file, grid } = opened;
    const isOther = answers.encoding !== undefined && answers.encoding !== grid.encoding;
    const read = isOther ? await readGrid(file, answers.encoding) : grid;
    return await show(file, read, answers, changesSoFar(opened));
  },

  /** Checks the rows. @returns what keeps them from being checked, in sentences */
  check(): string | undefined {
    if (opened === undefined) return undefined;
    const { read, table } = opened;
    const proof = proveOpened(opened);
    if (proof !== undefined && "problem" in proof) return proof.problem;
    session?.stopped.abort();
    const { client, texts } = account;
    session = createTableSession({ ...table, proof }, read.columns, changesSoFar(opened), {
      client,
      texts,
      onChange: reportSoon,
      fill: (cells) => fillRow(read, cells, client, memory),
      pause: () => wait(mendMilliseconds),
    });
    reportSoon();
    void checkRows(session);
    return undefined;
  },

  list: (filter: RowFilter, from: number) => listRows(session?.rows ?? [], filter, from),

  /** Some rows, by their numbers. */
  rows: (numbers: readonly number[]): readonly ShownRow[] =>
    session === undefined ? [] : showRows(session, numbers),

  mend: withSession(mendRow),

  confirm: withSession(confirmWarning),

  /** Makes rows ready that will not count, since a person has said so. */
  release: withSession(releaseRows),

  /** Lets rows replace delivered cards of other players, since a person has said so. */
  allowCorrections: withSession(allowCorrections),

  leaveOut: withSession(leaveOutRow),

  /** Sends what is ready, and follows the cards until each has an outcome. */
  send: withSession(async (session) => {
    await sendRows(session);
    // If it fails the states are as they were read last; the page's other views have them.
    void followRows(session).catch(() => undefined);
  }),

  /** Checks again what could not be checked. */
  recheck: withSession(checkRows),

  tournaments: (): readonly SentTournament[] => findSentTournaments(session?.rows ?? []),

  /** The table as it is now, mended, without rows that are left out. */
  csv: withSession(writeRows),

  /** Leaves the table, and forgets it. */
  close(): void {
    session?.stopped.abort();
    opened = undefined;
    session = undefined;
  },
};

/** What the page may ask its worker for. */
export type TableWorker = typeof worker;

expose(worker);
