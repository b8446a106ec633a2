/** The union did not answer, or not as expected. */
export class UnionUnavailableError extends Error {
  override readonly name = "UnionUnavailableError";
  /** How long the union asked to be left alone, by Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** HTTP status, if the union answered with an unexpected one. */
  readonly status: number | undefined;

  constructor(
    message: string,
    options: {
      readonly cause?: unknown;
      readonly retryAfterSeconds?: number;
      readonly status?: number;
    } = {},
  ) {
    super(message, options);
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
