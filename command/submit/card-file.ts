import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { streamArray } from "stream-json/streamers/stream-array.js";

/** A card of a file. */
export interface FileCard {
  /** 1 for the first card. */
  readonly number: number;
  /** JSON text of the card; undefined if the line is not JSON. */
  readonly json: string | undefined;
  /** The card; undefined if the line is not JSON. */
  readonly value: unknown;
}

/** A file that is being read. */
export interface CardFile {
  readonly cards: AsyncGenerator<FileCard>;
  /** Size in bytes. */
  readonly size: number;
  readonly bytesRead: () => number;
}

const blank = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** The first character of a file that is neither white space nor a UTF-8 byte order mark; empty if there is none. */
async function readStart(path: string): Promise<{ first: string; size: number }> {
  await using file = await open(path);
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64 * 1024), position: 0 });
  const first = buffer.subarray(0, bytesRead).find((byte) => !blank.has(byte));
  return { first: first === undefined ? "" : String.fromCharCode(first), size };
}

/**
 * Opens a file of cards: a JSON array, or one card a line (NDJSON). It is streamed, so its size does not matter. An empty
 * file has no cards.
 *
 * @throws Error if it cannot be read; also while its cards are read, if it is not UTF-8 or the array is not JSON
 */
export async function openCardFile(path: string): Promise<CardFile> {
  const { first, size } = await readStart(path);
  if (utf16.has(first)) throw notUtf8(path);
  if (first !== "" && first !== "[" && first !== "{") {
    throw new Error(`${path} is neither a JSON array of scorecards nor one scorecard a line.`);
  }
  const bytes = createReadStream(path);
  const text = textOf(bytes, path);
  const cards = first === "[" ? cardsOfArray(text, path) : cardsOfLines(text, path);
  return { cards, size, bytesRead: () => bytes.bytesRead };
}

/** First bytes of the byte order marks of UTF-16. */
const utf16 = new Set(["\xff", "\xfe"]);

const notUtf8 = (path: string, cause?: unknown) =>
  new NotUtf8Error(`${path} is not in UTF-8. Save it in UTF-8.`, { cause });

/** The file has another encoding, which would garble names. */
class NotUtf8Error extends Error {
  override readonly name = "NotUtf8Error";
}

/** Decodes a file in chunks, without its byte order mark. */
async function* textOf(bytes: AsyncIterable<Buffer>, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (piece?: Buffer) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch (cause) {
      throw notUtf8(path, cause);
    }
  };
  for await (const piece of bytes) yield decoded(piece);
  yield decoded();
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
