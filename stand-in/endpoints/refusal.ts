/** A request that the union does not answer as asked. Its document shows 500 alone; the rest are what such servers say. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;

  constructor(status: number, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.status = status;
  }
}
