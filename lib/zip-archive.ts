import { zipSync } from "fflate";

/** The first day that the format knows, so that the same content is the same archive. It has no time zone. */
const firstDay = new Date(1980, 0, 1);
/** A regular file that its owner may write and everybody may read, in the upper half as Unix has it. */
const attributes = 0o100644 << 16;
const unix = 3;

/**
 * A zip archive. The same files make the same bytes.
 *
 * @param files content by path, in the order of the archive
 */
export const zipArchive = (files: Readonly<Record<string, Uint8Array>>): Buffer =>
  Buffer.from(zipSync({ ...files }, { level: 9, mtime: firstDay, os: unix, attrs: attributes }));
