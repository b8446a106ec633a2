import { crc32, inflateRawSync } from "node:zlib";

/**
 * The files of a zip archive by their path, as its directory has them.
 *
 * @throws Error if the directory and the files do not fit together, or a checksum is wrong
 */
export function unzipped(archive: Buffer): Record<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from("PK\x05\x06"));
  const entries = archive.readUInt16LE(end + 10);
  const files: Record<string, Buffer> = {};
  let at = archive.readUInt32LE(end + 16);
  for (let entry = 0; entry < entries; entry += 1) {
    if (archive.toString("latin1", at, at + 4) !== "PK\x01\x02") throw new Error("The directory is broken.");
    const nameBytes = archive.readUInt16LE(at + 28);
    const name = archive.toString("utf8", at + 46, at + 46 + nameBytes);
    const local = archive.readUInt32LE(at + 42);
    // From the checksum to the lengths of names, the file's own header says the same as the directory.
    const same = archive.subarray(local + 6, local + 30).equals(archive.subarray(at + 8, at + 32));
    if (archive.toString("latin1", local, local + 4) !== "PK\x03\x04" || !same) {
      throw new Error(`${name} is not where the directory says.`);
    }
    const start = local + 30 + nameBytes;
    const content = inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20)));
    if (
      content.byteLength !== archive.readUInt32LE(at + 24) ||
      crc32(content) !== archive.readUInt32LE(at + 16)
    ) {
      throw new Error(`${name} is not what the directory says.`);
    }
    files[name] = content;
    at += 46 + nameBytes;
  }
  if (at !== end) throw new Error("The directory does not end where the archive says.");
  return files;
}
