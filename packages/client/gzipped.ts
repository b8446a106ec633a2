/** The fastest level: cards are so alike that even it shrinks a request to less than a tenth. */
const level = 1;
/** zlib waits for this thread after each chunk of output, so small chunks cost time. */
const chunkSize = 256 * 1_024;

/** A text's UTF-8, gzipped; undefined if this JavaScript engine cannot compress. */
export async function gzipped(text: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // `zlib` is not imported, because browsers have no such module. CompressionStream takes longer: its level cannot be chosen.
  const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");
  if (zlib !== undefined) {
    return await new Promise((resolve, reject) => {
      zlib.gzip(text, { level, chunkSize }, (error, compressed) =>
        error === null ? resolve(compressed) : reject(error),
      );
    });
  }
  if (typeof CompressionStream !== "function") return undefined;
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}
