/** Records that are to be handed over together, and how often they have failed. */
export interface StreamAttempt<StreamedRecord> {
  readonly records: readonly StreamedRecord[];
  readonly failures: number;
}

/** How a mapping retries what its function has failed with. */
export interface StreamRetries {
  /** -1 for as long as the records are in the stream. */
  readonly maximumAttempts: number;
  /** Whether a batch that failed is halved, until the record that fails is by itself. */
  readonly bisects: boolean;
}

/** What follows a failed attempt, in the order of the stream. */
export interface AfterFailure<StreamedRecord> {
  readonly retry: readonly StreamAttempt<StreamedRecord>[];
  readonly givenUp: readonly StreamedRecord[];
}

/**
 * What to do after a function has failed with a batch, as Lambda does it.
 *
 * @param failedFrom index of the first record that failed; the records before it are done
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export function afterFailure<StreamedRecord>(
  { records, failures }: StreamAttempt<StreamedRecord>,
  failedFrom: number,
  { maximumAttempts, bisects }: StreamRetries,
): AfterFailure<StreamedRecord> {
  const rest = records.slice(failedFrom);
  // Splitting a batch is no retry of it.
  if (bisects && failedFrom > 0) return { retry: [{ records: rest, failures }], givenUp: [] };
  if (bisects && rest.length > 1) {
    const middle = Math.ceil(rest.length / 2);
    const halves = [rest.slice(0, middle), rest.slice(middle)];
    return { retry: halves.map((half) => ({ records: half, failures })), givenUp: [] };
  }
  if (maximumAttempts >= 0 && failures >= maximumAttempts) return { retry: [], givenUp: rest };
  return { retry: [{ records: rest, failures: failures + 1 }], givenUp: [] };
}
