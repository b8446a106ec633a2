/**
 * How the correction delay is spent. A correction comes into sight so long after its message was sent; within that
 * time it must have been stored, and whatever post of the card it corrects began before must have ended.
 */
export interface CorrectionTimes {
  /** From the first message of a submission to its last stored card; what is not stored by then is refused. */
  readonly storingMilliseconds: number;
  /** From a look at what is stored to the end of the last post, and its record, that relies on it. */
  readonly deliveringMilliseconds: number;
}

/** Divides the delay: half of it for storing, half for delivering. */
export function correctionTimes(delaySeconds: number): CorrectionTimes {
  const half = delaySeconds * 500;
  return { storingMilliseconds: half, deliveringMilliseconds: half };
}
