/**
 * Times of a stage, in seconds. No operator has to choose them: they follow from each other, and from what AWS allows. A run on one machine has
 * shorter ones.
 */
export interface StageTiming {
  /** How long one post to the exchange may take; all waiting times of corrections follow from it. */
  readonly post: number;
  /** How long a run of the delivery may take. */
  readonly deliveryRun: number;
  /** When the messages of a run that crashed come back. */
  readonly redelivery: number;
  /** How long the union may take to look a member up. */
  readonly memberLookup: number;
  /** Age from which on a waiting card raises an alarm, and that of a club's mirror. */
  readonly oldestCard: number;
  readonly mirrorAge: number;
  /** From one sync of clubs and courses to the next. */
  readonly mirrorEvery: number;
  /** From one check of the players' records to the next. */
  readonly recordCheckEvery: number;
  /** How long after its delivery a card is looked for in the player's record the first time, and the last time. */
  readonly recordCheckFirst: number;
  readonly recordCheckLast: number;
}

/** The times of the deployed stages. */
export const deployedTiming: StageTiming = {
  // A withdrawal waits one and a half times as long, and API Gateway waits 29 seconds for its answer.
  post: 10,
  deliveryRun: 30,
  // AWS advises six times the function's timeout, for functions that are throttled. The event source's maximum
  // concurrency prevents throttling here, and with less the messages of a crashed run return sooner.
  redelivery: 60,
  // API Gateway waits 29 seconds.
  memberLookup: 15,
  oldestCard: 3600,
  mirrorAge: 3 * 3600,
  mirrorEvery: 15 * 60,
  recordCheckEvery: 30 * 60,
  recordCheckFirst: 3 * 3600,
  recordCheckLast: 3 * 86_400,
};

/** Age at which a card that fails once more is given up. */
export const giveUpAfterSeconds = 2 * 86_400;

/** Cards in one post to the exchange. */
export const postSize = 50;
