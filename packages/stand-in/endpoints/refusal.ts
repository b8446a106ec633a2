/** An error response. The union only documents 500; the other statuses are those of common servers. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
  readonly status: number;

  constructor(status: number, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.status = status;
  }
}
