import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

const pieces = 10;

/**
 * A body that is sent slowly, in ten pieces.
 *
 * @param milliseconds for the whole body
 */
export function slowBody(body: string, milliseconds: number): Readable {
  const bytes = Buffer.from(body);
  const size = Math.ceil(bytes.length / pieces);
  return Readable.from(
    (async function* () {
      for (let piece = 0; piece < pieces; piece++) {
        await delay(milliseconds / pieces, undefined, { ref: false });
        yield bytes.subarray(piece * size, (piece + 1) * size);
      }
    })(),
    { objectMode: false },
  );
}
