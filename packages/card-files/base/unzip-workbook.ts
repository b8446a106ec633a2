import { Inflate, zipSync } from "fflate";
import { fileBudget, inflatedTooFar } from "./file-budget.ts";

/** A part of a workbook by the zip file's directory. */
interface ZipEntry {
  readonly name: string;
  readonly isDeflated: boolean;
  readonly data: Uint8Array;
}

const signatures = { end: 0x06054b50, directory: 0x02014b50 };
/** A comment may stand behind the end record. */
const maxEndBytes = 22 + 65_535;
const methods = { stored: 0, deflated: 8 };
const isEncrypted = 1;

/** @throws Error if the bytes are no zip file, or one that a workbook never is */
function readDirectory(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= Math.max(0, bytes.length - maxEndBytes) && view.getUint32(end, true) !== signatures.end)
    end -= 1;
  if (end < 0 || view.getUint32(end, true) !== signatures.end) throw new Error("This zip file has no end.");
  const count = view.getUint16(end + 10, true);
  if (count > fileBudget.parts) throw new Error(`This zip file has ${count} parts.`);
  let at = view.getUint32(end + 16, true);
  return Array.from({ length: count }, (): ZipEntry => {
    if (view.getUint32(at, true) !== signatures.directory) throw new Error("The directory is damaged.");
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const size = view.getUint32(at + 20, true);
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) =>
      view.getUint16(at + place, true),
    );
    const local = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + (nameBytes ?? 0)));
    at += 46 + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
    if ((flags & isEncrypted) !== 0) throw new Error("A part is encrypted.");
    if (method !== methods.stored && method !== methods.deflated)
      throw new Error("A part cannot be inflated.");
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (start + size > bytes.length) throw new Error("A part is cut off.");
    return { name, isDeflated: method === methods.deflated, data: bytes.subarray(start, start + size) };
  });
}

/** A piece inflates to at most a thousand times as much, which is then known before the next one. */
const pieceBytes = 4_096;

/** @param room bytes that it may inflate to; @throws Error if it is damaged, or FileBudgetError if there is no room */
function inflate({ data, isDeflated }: ZipEntry, room: number, name: string): Uint8Array {
  if (!isDeflated) {
    if (data.length > room) throw inflatedTooFar(name);
    return data;
  }
  const pieces: Uint8Array[] = [];
  let length = 0;
  const stream = new Inflate((piece) => {
    length += piece.length;
    if (length > room) throw inflatedTooFar(name);
    pieces.push(piece);
  });
  for (let from = 0; from < data.length; from += pieceBytes)
    stream.push(data.subarray(from, from + pieceBytes), from + pieceBytes >= data.length);
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** What a workbook's cells are read from; pictures, macros and the like are not. */
const isRead = (name: string) => /\.(xml|rels)$/i.test(name) && !/^(customXml|docProps)\//i.test(name);

/**
 * Inflates the parts of a workbook that have its cells, by the sizes that they come to and not by those that they claim.
 *
 * @param name of the file
 * @throws FileBudgetError, or Error if it is no zip file or a damaged one
 */
export function unzipWorkbook(bytes: Uint8Array, name: string): Map<string, Uint8Array> {
  const parts = new Map<string, Uint8Array>();
  let room: number = fileBudget.inflatedBytes;
  for (const entry of readDirectory(bytes)) {
    if (!isRead(entry.name)) continue;
    const part = inflate(entry, room, name);
    room -= part.length;
    parts.set(entry.name, part);
  }
  return parts;
}

/** The parts as a workbook again, of which nothing is read that was not looked at. */
export const zipParts = (parts: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> =>
  zipSync(Object.fromEntries(parts), { level: 0 });
