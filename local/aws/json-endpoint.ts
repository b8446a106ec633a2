import type { IncomingMessage, ServerResponse } from "node:http";

/** A refusal in the form AWS's JSON protocols give it. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: string;
  readonly status: number;

  /** @param code AWS's name of the error, such as ResourceNotFoundException */
  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** The whole body of a request, as JSON; an empty one is an empty object. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

/**
 * A listener that answers each request with JSON, and refusals as AWS's JSON protocols do.
 *
 * @param operation the answer to a request, from its body; what it throws becomes the refusal
 */
export function jsonEndpoint(
  operation: (
    request: IncomingMessage,
    body: unknown,
  ) => { status: number; body: unknown } | Promise<{ status: number; body: unknown }>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const answer = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "Content-Type": "application/x-amz-json-1.1", ...headers });
      response.end(JSON.stringify(body));
    };
    readJson(request)
      .then((body) => operation(request, body))
      .then(({ status, body }) => answer(status, body))
      .catch((error: unknown) => {
        const { code, status, message } =
          error instanceof ServiceError ? error : new ServiceError("ValidationException", String(error));
        answer(status, { __type: code, message }, { "x-amzn-ErrorType": code });
      });
  };
}
