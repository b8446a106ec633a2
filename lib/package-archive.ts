import { gzipSync } from "node:zlib";

const blockBytes = 512;
/** Seconds since 1970: npm, too, gives files this day of 1985, so that the same content is the same archive. */
const modifiedAt = 499_162_500;

/**
 * A gzipped archive of files below `package/`, as npm packs and installs it. The same files make the same bytes.
 *
 * @param files content by path; a path has at most 92 bytes
 * @see POSIX.1-2017, pax: ustar Interchange Format
 */
export function packageArchive(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const blocks = Object.keys(files)
    .sort()
    .flatMap((path) => {
      const content = files[path] ?? new Uint8Array();
      return [headerOf(`package/${path}`, content.byteLength), content, paddingAfter(content.byteLength)];
    });
  const archive = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9 });
  // The byte names the operating system; 255 is unknown.
  archive[9] = 255;
  return archive;
}

const paddingAfter = (bytes: number) => Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes);

function headerOf(name: string, bytes: number): Buffer {
  if (Buffer.byteLength(name) > 100)
    throw new Error(`${name} is too long a path for the archive. Shorten it.`);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1");
  header.write(name, 0);
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes, 124, 12);
  octal(modifiedAt, 136, 12);
  // The checksum is taken with spaces in its own place.
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257, "latin1");
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return header;
}
