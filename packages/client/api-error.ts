import type { Problem } from "./api-types.ts";
import { type ReadResponse, retryAfter, toRequestId } from "./fetch-with-retries.ts";

/**
 * The API refused a request. Its message has the title and the detail of the API's problem document, and neither
 * credentials nor the request's path.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** The API's problem document, with the faults of refused cards; undefined if the response has none. */
  readonly problem: Problem | undefined;
  /** Retry-After; undefined if the response has none. */
  readonly retryAfterMilliseconds: number | undefined;
  /** Identifies the request to the operator of the API; undefined if the response has no id. */
  readonly requestId: string | undefined;

  /** @param api base address; the message names it if it may be wrong */
  constructor(api: string, { status, headers, text }: ReadResponse) {
    const problem = problemIn(text);
    const detail =
      problem === undefined ? "" : `: ${[problem.title, problem.detail].filter(Boolean).join(". ")}`;
    const message = `HTTP ${status}${detail}`;
    super(mayBeWrongAddress(status, detail) ? `${message.replace(/\.$/, "")}. ${addressHint(api)}` : message);
    this.status = status;
    this.problem = problem;
    this.retryAfterMilliseconds = retryAfter(headers);
    this.requestId = toRequestId(headers);
  }
}

/** Whether the base address may be wrong: there is no such path, or API Gateway refuses without a reason. */
const mayBeWrongAddress = (status: number, detail: string) =>
  (status === 404 && /: No such path\b/.test(detail)) ||
  ((status === 404 || status === 403) && detail === "");

const addressHint = (api: string) =>
  `Check the base address ${api}: it has the form https://{host}/{stage}, without an API set.`;

function problemIn(text: string): Problem | undefined {
  try {
    const problem: Partial<Problem> | null = JSON.parse(text);
    return typeof problem?.title === "string" ? (problem as Problem) : undefined;
  } catch {
    return undefined;
  }
}
