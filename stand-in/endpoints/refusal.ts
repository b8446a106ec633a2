/** A request that the union does not answer as asked. Its document shows 500 alone; the rest are what such servers say. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
  readonly status: number;

  constructor(status: number, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.status = status;
  }
}
