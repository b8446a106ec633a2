import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { FileCard } from "@scorecard-pipeline/card-files/card-fault";
import type { TableProof } from "@scorecard-pipeline/card-files/proof";
import type { Reading } from "@scorecard-pipeline/card-files/reading/reading";
import { streamArray } from "stream-json/streamers/stream-array.js";

/** A table that was read, and is proved. */
export interface OpenedTable {
  readonly reading: Reading;
  readonly sums: TableProof["sums"];
}

/** A file that is being read. */
export interface CardFile {
  readonly cards: AsyncIterable<FileCard>;
  /** Size in bytes. */
  readonly size: number;
  readonly bytesRead: () => number;
  /** Only of a table. */
  readonly table?: OpenedTable;
}

/** The file is no text in UTF-8: another encoding would garble names. */
class NotUtf8Error extends Error {
  override readonly name = "NotUtf8Error";

  constructor(path: string, cause: unknown) {
    super(`${path} is not in UTF-8. Save it in UTF-8.`, { cause });
  }
}

/**
 * Opens a file of cards: a JSON array, or one card a line (NDJSON). It is streamed, so its size does not matter. An empty
 * file has no cards.
 *
 * @throws Error if it cannot be read; also while its cards are read, if it is not UTF-8 or the array is not JSON
 */
export async function openCardFile(path: string): Promise<CardFile> {
  const about = await stat(path);
  if (about.isDirectory()) throw new Error(`${path} is a folder. Name a file in it.`);
  const bytes = createReadStream(path);
  const text = decodeFile(bytes, path);
  let start = "";
  while (start === "") {
    const { value, done } = await text.next();
    if (done) break;
    start = value.trimStart();
  }
  const whole = withStart(start, text);
  if (start !== "" && !/^[[{]/.test(start)) {
    await text.return(undefined);
    throw new Error(notCards(path));
  }
  const cards = start.startsWith("[") ? cardsOfArray(whole, path) : cardsOfLines(whole, path);
  return { cards, size: about.size, bytesRead: () => bytes.bytesRead };
}

const notCards = (path: string) => `${path} is neither a JSON array of scorecards nor one scorecard a line.`;

async function* decodeFile(bytes: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch (cause) {
      throw new NotUtf8Error(path, cause);
    }
  };
  for await (const piece of bytes) yield decode(piece);
  yield decode();
}

async function* withStart(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

async function* cardsOfArray(text: AsyncIterable<string>, path: string): AsyncGenerator<FileCard> {
  const elements = streamArray.withParserAsStream();
  // The reader of the elements gets the error.
  pipeline(text, elements).catch(() => undefined);
  let number = 0;
  try {
    for await (const { value } of elements as AsyncIterable<{ value: unknown }>) {
      number += 1;
      yield { number, value, json: JSON.stringify(value) };
    }
  } catch (cause) {
    if (cause instanceof NotUtf8Error) throw cause;
    throw new Error(`${path} is not valid JSON after card ${number}. Correct the file and submit it again.`, {
      cause,
    });
  }
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of text) {
    const lines = `${rest}${piece}`.split(/[\r\n]/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

async function* cardsOfLines(text: AsyncIterable<string>, path: string): AsyncGenerator<FileCard> {
  let number = 0;
  for await (const line of linesOf(text)) {
    const json = line.trim();
    if (json === "") continue;
    number += 1;
    const value = parseOrNothing(json);
    if (number === 1 && value === undefined) throw new Error(notCards(path));
    yield { number, value, json: value === undefined ? undefined : json };
  }
}

function parseOrNothing(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
