/** An answer to a request behind API Gateway. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers with a JSON document. */
export function json(
  statusCode: number,
  document: unknown,
  headers: Record<string, string> = {},
): HttpResponse {
  return {
    statusCode,
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
    body: typeof document === "string" ? document : JSON.stringify(document),
  };
}
