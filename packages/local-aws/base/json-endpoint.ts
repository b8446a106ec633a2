import type { IncomingMessage, ServerResponse } from "node:http";

/** An error that an AWS service answers with, in the form of AWS's JSON protocols. */
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

/** The body of a request, parsed as JSON; an empty one is an empty object. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

/**
 * A listener that answers each request with JSON, and errors as AWS's JSON protocols do.
 *
 * @param operation answers a request, with bytes that are sent as they are or with what is sent as JSON; an error it throws
 *   is answered as a ServiceError, ValidationException by default
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
      response.end(body instanceof Uint8Array ? body : JSON.stringify(body));
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
