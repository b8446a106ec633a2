/** Records for one invocation, and how often they have failed. */
export interface StreamAttempt<StreamedRecord> {
  readonly records: readonly StreamedRecord[];
  readonly failures: number;
}

/** How a mapping retries records that its function has failed with. */
export interface StreamRetries {
  /** -1 for no limit. */
  readonly maximumAttempts: number;
  /** Whether a failed batch is split in half until the failing record is alone. */
  readonly bisects: boolean;
}

/** What to do after a failed attempt, in the order of the stream. */
interface AfterFailure<StreamedRecord> {
  readonly retry: readonly StreamAttempt<StreamedRecord>[];
  readonly discarded: readonly StreamedRecord[];
}

/**
 * Decides what to do after a function has failed with a batch, as Lambda does.
 *
 * @param failedFrom index of the first record that failed; the records before it succeeded
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export function afterFailure<StreamedRecord>(
  { records, failures }: StreamAttempt<StreamedRecord>,
  failedFrom: number,
  { maximumAttempts, bisects }: StreamRetries,
): AfterFailure<StreamedRecord> {
  const rest = records.slice(failedFrom);
  // Splitting a batch does not count as a retry.
  if (bisects && failedFrom > 0) return { retry: [{ records: rest, failures }], discarded: [] };
  if (bisects && rest.length > 1) {
    const middle = Math.ceil(rest.length / 2);
    const halves = [rest.slice(0, middle), rest.slice(middle)];
    return { retry: halves.map((half) => ({ records: half, failures })), discarded: [] };
  }
  if (maximumAttempts >= 0 && failures >= maximumAttempts) return { retry: [], discarded: rest };
  return { retry: [{ records: rest, failures: failures + 1 }], discarded: [] };
}
