import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { CardFault } from "@scorecard-pipeline/card-files/card-fault";
import type { FileCard } from "@scorecard-pipeline/card-files/file-card";
import { NotUtf8Error, refuseUtf16, textOf } from "@scorecard-pipeline/card-files/utf8-text";
import { streamArray } from "stream-json/streamers/stream-array.js";
import { readStart } from "./utf8-file.ts";

/** How the findings of a table's cards are told to somebody who sees only the table. */
interface TableWords {
  /** The column that a JSON pointer into a card comes from; undefined if none. */
  readonly columnOf: (pointer: string) => string | undefined;
  /** Findings of one card, each with its column and what to write there. */
  readonly inItsWords: (findings: readonly CardFault[]) => CardFault[];
  /** Fields that every card needs and no column of the table has. */
  readonly missingFields: readonly string[];
  /** How it was read, if its heading is a person's. */
  readonly lines?: readonly string[];
}

/** A file that is being read. */
export interface CardFile {
  readonly cards: AsyncIterable<FileCard>;
  /** Size in bytes. */
  readonly size: number;
  readonly bytesRead: () => number;
  /** Only of a table. */
  readonly table?: TableWords;
}

/**
 * Opens a file of cards: a JSON array, or one card a line (NDJSON). It is streamed, so its size does not matter. An empty
 * file has no cards.
 *
 * @throws Error if it cannot be read; also while its cards are read, if it is not UTF-8 or the array is not JSON
 */
export async function openCardFile(path: string): Promise<CardFile> {
  const { start, size } = await readStart(path);
  refuseUtf16(start, path);
  const first = start.slice(0, 1);
  if (first !== "" && first !== "[" && first !== "{") {
    throw new Error(`${path} is neither a JSON array of scorecards nor one scorecard a line.`);
  }
  const bytes = createReadStream(path);
  const text = textOf(bytes, path);
  const cards = first === "[" ? cardsOfArray(text, path) : cardsOfLines(text, path);
  return { cards, size, bytesRead: () => bytes.bytesRead };
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
    const value = parsed(json);
    if (number === 1 && value === undefined) {
      throw new Error(`${path} is neither a JSON array of scorecards nor one scorecard a line.`);
    }
    yield { number, value, json: value === undefined ? undefined : json };
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
