import { writeCsvCell } from "@scorecard-pipeline/card-files/csv-cell";
import { describeStop } from "@scorecard-pipeline/card-files/proof";
import {
  askForMembers,
  createUnionMemory,
  fillRow,
  understandWithUnion,
} from "@scorecard-pipeline/card-files/reading/consult-union";
import { readGridFile } from "@scorecard-pipeline/card-files/reading/read-grid-file";
import type { Answers, GridFile, Reading } from "@scorecard-pipeline/card-files/reading/reading";
import type { TextEncoding } from "@scorecard-pipeline/card-files/reading/text-encoding";
import { understandTable } from "@scorecard-pipeline/card-files/reading/understand-table";
import { proveRows } from "@scorecard-pipeline/card-files/table-cards";
import { listRows, type RowFilter } from "@scorecard-pipeline/card-files/table-progress";
import {
  collectChanges,
  isSent,
  maxRowsAtOnce,
  type ReadTable,
  type TableChanges,
} from "@scorecard-pipeline/card-files/table-row";
import {
  allowReplacing,
  checkRows,
  confirmWarning,
  countProgress,
  createTableSession,
  findByName,
  leaveOutRow,
  mendRow,
  releaseRows,
  sendRows,
  type TableSession,
} from "@scorecard-pipeline/card-files/table-session";
import { missingFields } from "@scorecard-pipeline/card-files/table-words";
import { isPlayerList, orderTemplate } from "@scorecard-pipeline/card-files/template-order";
import { en, type TableTexts } from "@scorecard-pipeline/card-files/words/en";
import { ApiError, createClient, NoResponseError } from "@scorecard-pipeline/scorecards-client";
import { expose } from "comlink";
import { createTokenFetch } from "../base/token-fetch.ts";
import { da } from "../texts/tables/table-words-da.ts";
import { drawCards } from "./drawn-cards.ts";
import { findSentTournaments } from "./sent-tournaments.ts";
import { showRow } from "./shown-row.ts";
import type { OpenedFile, Owner, Page, WorkerFailure } from "./worker-messages.ts";

const languages: Readonly<Record<string, TableTexts>> = { en, da };

/** Between two messages about progress: more than this no one sees. */
const reportMilliseconds = 150;

/** Mends that follow one another are checked together. */
const mendMilliseconds = 400;

/** Requests at the same time, and how long each is tried. */
const limits = { parallel: 4, retrySeconds: 600 };

const maxPreviewRows = 8;
const maxAsideRows = 20;

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** A file that was read, while a person answers what is asked about it. */
interface Opened {
  readonly file: File;
  readonly grid: GridFile;
  readonly answers: Answers;
  readonly read: Reading;
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

/** Between two looks at cards that were sent. */
const followPauseSeconds = 15;

/** Follows the cards that were sent until each has an outcome. */
async function followRows(
  { rows, stopped, onChange }: TableSession,
  client: Account["client"],
): Promise<void> {
  const byName = findByName(rows.filter(isSent));
  const names = [...byName.keys()].flatMap((name) => name ?? []);
  const states = client.follow(names, { maxPauseSeconds: followPauseSeconds, signal: stopped.signal });
  for await (const { externalId, state } of states) {
    const row = byName.get(externalId);
    if (row !== undefined) row.state = state;
    onChange();
  }
}

const readGrid = async (file: File, encoding?: string) =>
  readGridFile(new Uint8Array(await file.arrayBuffer()), file.name, encoding as TextEncoding);

/** Counts the readings: one that a later one has overtaken is not shown. */
let readings = 0;

/** Draws cards with their players' names by the register, as far as the account may look them up. */
async function drawNamed(read: Reading) {
  const drawn = drawCards(read, account.texts);
  const asking = askForMembers(
    drawn.map(({ player }) => player),
    account.client,
    memory,
  );
  await asking.catch(() => undefined);
  return drawn.map((card) => ({ ...card, registered: memory.members.get(card.player)?.name }));
}

/** Opens a file as it is read by some answers. @returns what the page is told of it, unless another answer came meanwhile */
async function show(given: Omit<Opened, "read">): Promise<OpenedFile | undefined> {
  const { grid, answers } = given;
  readings += 1;
  const own = readings;
  const read = await readWithUnion(grid, answers);
  if (own !== readings) return undefined;
  session?.stopped.abort();
  session = undefined;
  opened = { ...given, read };
  const { header, rows, numbers, columns, teeColumn, questions, notes, aside, doubts } = read;
  const stops = doubts.map((stop) => describeStop(stop, account.texts));
  return {
    ...{ header, teeColumn, questions, notes, stops, answers, encoding: grid.encoding },
    rows: rows.filter((row) => row.some((cell) => cell !== "")).length,
    columns: [...columns],
    preview: rows.slice(0, maxPreviewRows).map((cells, place) => ({ number: numbers[place] ?? 0, cells })),
    aside: aside.slice(0, maxAsideRows),
    asideRows: aside.length,
    isList: isPlayerList(read),
    drawn: questions.length > 0 || stops.length > 0 ? [] : await drawNamed(read),
  };
}

/** What was mended so far. */
const changesSoFar = ({ changes }: Opened) =>
  session === undefined ? changes : collectChanges(session.rows);

/** What keeps a table from being checked, in sentences; or by what its rows are proved. */
function proveOpened({ read }: Opened): { readonly problem: string } | ReadTable["proof"] {
  const { texts } = account;
  const proof = proveRows(read, texts);
  const stops = [...new Set(proof.stops.map((stop) => describeStop(stop, texts)))];
  if (stops.length > 0) return { problem: stops.join(" ") };
  const lacking = read.rows.length === 0 ? [] : missingFields(read.columns);
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
  async open(file: File): Promise<OpenedFile | undefined> {
    return await show({ file, grid: await readGrid(file), answers: {}, changes: undefined });
  },

  /** Reads the file again by what a person knows of it. */
  async answer(answers: Answers): Promise<OpenedFile | undefined> {
    if (opened === undefined) return undefined;
    // At once, so that an answer that follows has it, too.
    opened = { ...opened, answers: { ...opened.answers, ...answers }, changes: changesSoFar(opened) };
    const { file, grid } = opened;
    const isOther = answers.encoding !== undefined && answers.encoding !== grid.encoding;
    return await show(isOther ? { ...opened, grid: await readGrid(file, answers.encoding) } : opened);
  },

  /** Checks the rows. @returns what keeps them from being checked, in sentences */
  check(): string | undefined {
    if (opened === undefined) return undefined;
    const { read } = opened;
    const proof = proveOpened(opened);
    if (proof !== undefined && "problem" in proof) return proof.problem;
    session?.stopped.abort();
    const { client, texts } = account;
    session = createTableSession({ ...read, proof }, read.columns, changesSoFar(opened), {
      client,
      texts,
      limits,
      onChange: reportSoon,
      fill: (cells) => fillRow(read, cells, client, memory),
      pause: () => wait(mendMilliseconds),
    });
    reportSoon();
    void checkRows(session);
    return undefined;
  },

  /** What a workbook to fill in has of the list of players that is open. */
  template: () => opened && orderTemplate(opened.read, memory),

  /** Some rows of a list, and how many it has. @param pinned numbers of rows that are shown whatever the list */
  list: withSession((session, filter: RowFilter, from: number, pinned: readonly number[]) => {
    const { total, numbers } = listRows(session.rows, filter, from);
    const all = [...new Set([...pinned, ...numbers])].toSorted((one, other) => one - other);
    const rows = all.slice(0, maxRowsAtOnce).flatMap((number) => session.byNumber.get(number) ?? []);
    return { total, rows: rows.map((row) => showRow(row, session.form)) };
  }),

  mend: withSession(mendRow),

  confirm: withSession(confirmWarning),

  /** Makes rows ready that will not count, since a person has said so. */
  release: withSession(releaseRows),

  /** Lets rows replace cards of other players, days or courses, since a person has said so. */
  allowReplacing: withSession(allowReplacing),

  leaveOut: withSession(leaveOutRow),

  /** Sends what is ready, and follows the cards until each has an outcome. */
  send: withSession(async (session) => {
    await sendRows(session);
    // If it fails the states are as they were read last; the page's other views have them.
    void followRows(session, account.client).catch(() => undefined);
  }),

  /** Checks again what could not be checked. */
  recheck: withSession(checkRows),

  tournaments: () => findSentTournaments(session?.rows ?? []),

  /** The table as it is now, mended, without rows that are left out. */
  csv: withSession(({ form, rows }) =>
    [form.header, ...rows.filter((row) => !row.isLeftOut).map((row) => row.cells)]
      .map((cells) => cells.map(writeCsvCell).join(";"))
      .join("\r\n"),
  ),

  /** Leaves the table, and forgets what was mended. */
  close(): void {
    session?.stopped.abort();
    opened = undefined;
    session = undefined;
  },
};

/** What the page may ask its worker for. */
export type TableWorker = typeof worker;

expose(worker);
