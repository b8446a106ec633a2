/** An error as a Lambda function's invocation reports it. */
export interface ReportedError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
}

/** A function was invoked and failed: it threw, ran out of time, or its environment crashed. */
export class FunctionError extends Error {
  override readonly name = "FunctionError";
  readonly reported: ReportedError;

  constructor(reported: ReportedError) {
    super(`${reported.errorType}: ${reported.errorMessage}`);
    this.reported = reported;
  }
}

/** A function could not be invoked at all. */
export class InvocationError extends Error {
  override readonly name = "InvocationError";
  readonly code: "RequestTooLargeException" | "TooManyRequestsException";

  constructor(code: InvocationError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
