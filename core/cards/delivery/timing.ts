/* All times of the delivery, in milliseconds unless the name says otherwise. */

const second = 1000;
const minute = 60 * second;

/** SQS delays a message by so much at most. @see SQS API reference, SendMessage, DelaySeconds */
export const maxMessageDelay = 15 * minute;

/**
 * A wake-up may come before its card is stored. The run reads the card again after these waits; then the wake-up is sent again,
 * until 15 minutes after the submission: that may be slow, or its write late.
 */
export const notStored = {
  rereads: [20, 100],
  shortest: 2 * second,
  longest: 5 * minute,
  until: 15 * minute,
};

/**
 * The circuit breaker: the wait for the next probe is a share of the time since it opened, within bounds. With jitter, a card
 * waits after an outage for less than a fifth of its length.
 */
export const probe = {
  share: 1 / 8,
  shortest: 2 * second,
  longest: 5 * minute,
  maxRetryAfter: 60 * minute,
  /**
   * After an outage all cards that waited come back within this share of its length, and within these bounds. A first Retry-After
   * may be as long as the outage, and jitter and grid make a wait longer by up to three eighths.
   */
  returned: { share: 3 / 8, shortest: 3 * second, longest: 7.5 * minute },
};

/** The grid of `delayOnGrid`: its steps are powers of two, of at most this share of the wait. */
const grid = { jitter: 1 / 4, share: 1 / 8, finest: second };

/**
 * After a wait that is longer than SQS delays a message, all cards have come back this long after the probe. Jitter and grid stretch
 * the last delay by three eighths, to 15 minutes at most: by four minutes. A message whose run died comes a minute later.
 */
export const returnAfterLongWait = 5 * minute;

/** How long a run receives from the queue itself. SQS hides a message that comes later from all other runs for the visibility timeout. */
export const maxReceiving = second;

/** How long a run may take to record a post that has ended. */
export const recording = second;

/**
 * How far the clocks of two environments may be apart. AWS keeps them within milliseconds, but nothing that is told to a vendor may
 * rest on that.
 */
export const clockDifference = 10 * second;

/** The wait of a card that the table could not read or write, by itself: a share of the time since its wake-up was made. */
export const refusedWait = { share: 1 / 8, shortest: 5 * second, longest: 5 * minute };

/** The wait after a failed post: a share of the time since the card's first post, within these bounds; about 50 posts in nine hours. */
export const retrying = { share: 1 / 4, shortest: 3 * second, longest: 2 * 60 * minute };

/** A card that has waited this long for its first post is delivered if the vendor asks for that: its wake-up may be a dead letter. */
export const overdue = 30 * second;

/**
 * A card that has waited this long and is submitted again is woken up again: SQS delays no message by more, so its wake-up is
 * behind a backlog, or lost.
 */
export const wokenAgainAfter = 15 * minute;

/** Time that a run reserves for recording its last post and sending its last wake-ups. */
export const recordingReserve = 3 * second;

/** A message that cannot be read is retried this long, since a deployment may be rolling back; then it is a dead letter. */
const unreadable = 60 * minute;

/** The most times a message is received before the queue moves it to the dead letters. */
export const maxReceives = (visibilityTimeoutSeconds: number) =>
  Math.ceil(unreadable / (visibilityTimeoutSeconds * second));

/** The times that follow from how long one post may take. */
export interface PostTiming {
  /** One post to the exchange. */
  readonly post: number;
  /** From the read that a post relies on to the end of the post. */
  readonly readToPostEnd: number;
  /** A correction that must wait is posted this long after it was seen stored, when older posts have ended. */
  readonly storedBefore: number;
  /**
   * The exchange may finish a post this late after it timed out. A correction that had to wait is posted once more after
   * that, and one whose predecessor ended longer ago need not wait.
   */
  readonly lateFinish: number;
}

/** With the usual ten seconds for a post: 15 and 20 seconds, and five minutes. */
export function postTiming(postTimeoutSeconds: number): PostTiming {
  const post = postTimeoutSeconds * second;
  return { post, readToPostEnd: 1.5 * post, storedBefore: 2 * post, lateFinish: 30 * post };
}

/** Whole seconds that SQS can delay a message by: at least the time given, or the most that SQS allows. */
export function delaySeconds(milliseconds: number): number {
  return Math.max(0, Math.ceil(Math.min(maxMessageDelay, milliseconds) / second));
}

/**
 * The delay of a card's next wake-up, with jitter, and on a grid of seconds that is the same for all cards: those that wait
 * alone come back together and are merged into one message.
 *
 * @returns whole seconds, at most what SQS can delay a message by
 */
export function delayOnGrid(waitMilliseconds: number, now: number, random: number): number {
  const due = now + waitMilliseconds * (1 + random * grid.jitter);
  const steps = Math.max(1, (waitMilliseconds * grid.share) / grid.finest);
  const step = 2 ** Math.floor(Math.log2(steps)) * grid.finest;
  return delaySeconds(Math.ceil(due / step) * step - now);
}
