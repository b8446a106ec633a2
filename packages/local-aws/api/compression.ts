import { promisify } from "node:util";
import { type CompressCallback, deflate, gzip } from "node:zlib";
import type { ApiResponse } from "./api-response.ts";

/** The quickest level: everything here shares the machine's processors. */
const options = { level: 1 };

const encoders: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  gzip: promisify((body: Buffer, done: CompressCallback) => gzip(body, options, done)),
  deflate: promisify((body: Buffer, done: CompressCallback) => deflate(body, options, done)),
};

/** The content coding for a client; undefined for none. */
function codingFor(acceptEncoding: string): string | undefined {
  const accepted = acceptEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim().split(/\s*;\s*q=/))
    .filter(([, quality]) => Number(quality ?? 1) > 0)
    .map(([coding]) => coding);
  return Object.keys(encoders).find((coding) => accepted.includes(coding) || accepted.includes("*"));
}

/**
 * Compresses a response if it is large enough, is not streamed, and the client accepts that.
 *
 * @param minimumBytes undefined if the API compresses nothing
 */
export async function compressed(
  answer: ApiResponse,
  minimumBytes: number | undefined,
  acceptEncoding: string,
): Promise<ApiResponse> {
  if (minimumBytes === undefined || answer.body.length < minimumBytes) return answer;
  if (answer.streamed || answer.headers["content-encoding"]) return answer;
  const coding = codingFor(acceptEncoding);
  const encode = coding && encoders[coding];
  if (!encode) return answer;
  return {
    ...answer,
    headers: { ...answer.headers, "content-encoding": coding },
    body: await encode(answer.body),
  };
}
