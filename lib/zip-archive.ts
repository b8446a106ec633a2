import { crc32, deflateRawSync } from "node:zlib";

/** 1 January 1980, the first day that the format knows, so that the same content is the same archive. */
const dosDate = 0x21;
/** Names in UTF-8. */
const flags = 0x0800;
const deflated = 8;
const version = 20;
/** A regular file that its owner may write and everybody may read, in the upper half as Unix has it. */
const attributes = (0o100644 << 16) >>> 0;
const madeOnUnix = (3 << 8) | version;

/**
 * A zip archive. The same files make the same bytes.
 *
 * @param files content by path, in the order of the archive
 * @see APPNOTE.TXT of PKWARE, 4.3
 */
export function zipArchive(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path);
    const data = deflateRawSync(content, { level: 9 });
    const described = [
      [flags, 2],
      [deflated, 2],
      [0, 2],
      [dosDate, 2],
      [crc32(content), 4],
      [data.byteLength, 4],
      [content.byteLength, 4],
      [name.byteLength, 2],
      [0, 2],
    ] as const;
    const local = Buffer.concat([fields([0x04034b50, 4], [version, 2], ...described), name, data]);
    directory.push(
      fields([0x02014b50, 4], [madeOnUnix, 2], [version, 2], ...described),
      fields([0, 2], [0, 2], [0, 2], [attributes, 4], [offset, 4]),
      name,
    );
    parts.push(local);
    offset += local.byteLength;
  }
  const entries = Object.keys(files).length;
  const index = Buffer.concat(directory);
  const end = fields(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [entries, 2],
    [entries, 2],
    [index.byteLength, 4],
    [offset, 4],
    [0, 2],
  );
  return Buffer.concat([...parts, index, end]);
}

/** Numbers in a row, the lowest byte first. */
function fields(...values: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  const written = Buffer.alloc(values.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of values) at = written.writeUIntLE(value, at, bytes);
  return written;
}
