import { Writable } from "node:stream";

type StreamingHandler = (event: unknown, stream: Writable, context: object) => unknown;

/** The bytes between a response's metadata and its body. */
export const metadataEnd = Buffer.alloc(8);

const streaming = new WeakSet<StreamingHandler>();

/** Collects a response. The metadata goes before the first write; a stream that ends without a write has none. */
class ResponseStream extends Writable {
  readonly chunks: Buffer[] = [];
  metadata: object | undefined;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }

  // Not in `_write`, which `end` calls as well: Lambda's runtime, too, looks for metadata in `write` only.
  override write(...given: unknown[]): boolean {
    if (this.metadata !== undefined) {
      this.chunks.push(Buffer.from(JSON.stringify(this.metadata)), metadataEnd);
      this.metadata = undefined;
    }
    return super.write(...(given as [Buffer]));
  }

  setContentType(): void {
    // The type of the whole stream, which API Gateway does not read.
  }
}

/**
 * Adds to the global scope what Lambda's Node.js runtime adds for handlers that stream their responses.
 *
 * @see AWS Lambda developer guide, Writing response streaming-enabled functions
 */
export function installResponseStreaming(): void {
  Object.assign(globalThis, {
    awslambda: {
      streamifyResponse(handler: StreamingHandler): StreamingHandler {
        streaming.add(handler);
        return handler;
      },
      HttpResponseStream: {
        from(stream: ResponseStream, metadata: object): ResponseStream {
          stream.metadata = metadata;
          return stream;
        },
      },
    },
  });
}

/** The same handler if it streams its responses, else undefined. */
export function streamingHandler(handler: unknown): StreamingHandler | undefined {
  return streaming.has(handler as StreamingHandler) ? (handler as StreamingHandler) : undefined;
}

/**
 * Invokes a handler that streams its response.
 *
 * @returns all that it wrote, at its end: on AWS a client gets the beginning earlier
 */
export async function collectResponse(
  handler: StreamingHandler,
  event: unknown,
  context: object,
): Promise<Buffer> {
  const stream = new ResponseStream();
  const ended = Promise.withResolvers<void>();
  stream.once("finish", ended.resolve).once("error", ended.reject);
  // If the handler throws, nobody waits for the stream.
  ended.promise.catch(() => undefined);
  await handler(event, stream, context);
  await ended.promise;
  return Buffer.concat(stream.chunks);
}
