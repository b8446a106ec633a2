/** Has a handler return what it would have streamed to a client that does not accept gzip. */
const module = `
import { isUtf8 } from "node:buffer";
import { Writable } from "node:stream";
globalThis.awslambda = {
  streamifyResponse: (handler) => async (event, context) => {
    const headers = Object.entries(event.headers ?? {}).filter(([name]) => !/^accept-encoding$/i.test(name));
    const chunks = [];
    const stream = new Writable({
      write(chunk, encoding, done) {
        chunks.push(chunk);
        done();
      },
    });
    await handler({ ...event, headers: Object.fromEntries(headers) }, stream, context);
    const bytes = Buffer.concat(chunks);
    if (isUtf8(bytes)) return { ...stream.metadata, body: bytes.toString() };
    return { ...stream.metadata, body: bytes.toString("base64"), isBase64Encoded: true };
  },
  HttpResponseStream: { from: (stream, metadata) => Object.assign(stream, { metadata }) },
};`;

/** NODE_OPTIONS of functions at an endpoint whose runtime does not stream responses. */
export const bufferedResponses = `--import=data:text/javascript,${encodeURIComponent(module)}`;
