/** When delivered cards are looked for in the players' records, in milliseconds after their delivery. */
export interface RecordCheckTiming {
  /** For the first time: the union picks cards up some time after it has taken them. */
  readonly first: number;
  /** For the last time; a card that is not there then is not recorded. */
  readonly last: number;
}

/** The waits between two checks grow by this factor: three hours, nine, 27, and in the end three days. */
const growth = 3;

/** When a card is looked for next. @param since when it was delivered; times in milliseconds since 1970, UTC */
export function nextLookAt(since: number, now: number, { first, last }: RecordCheckTiming): number {
  for (let wait = first; ; wait *= growth) {
    const at = since + Math.min(wait, last);
    if (at > now) return at;
    // After the last check, only cards for which the union did not answer are looked for again.
    if (wait >= last) return now + last / growth;
  }
}

/**
 * When a card that is in the record is looked for once more, since the Playing Conditions Calculation of the next days changes
 * differentials: at the time of the last check. Undefined after that.
 */
export function recordedLookAt(since: number, now: number, { last }: RecordCheckTiming): number | undefined {
  return now < since + last ? since + last : undefined;
}

/** Whether a card that is not in the record now is not going to be looked for again. */
export const isLastLook = (since: number, now: number, { last }: RecordCheckTiming): boolean =>
  now - since >= last;
