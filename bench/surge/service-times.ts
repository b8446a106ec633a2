/**
 * Seconds of an invocation of deliver-scorecards with ten cards that are not the exchange's: two requests to DynamoDB of 8 ms
 * each, as they take within a region, and its own work, 0.3 ms at commit 2d61d72 where a processor is to be had, but Lambda gives a share. Fixed, so that
 * the simulated days are the same on every machine.
 */
export const ownSeconds = 0.02;

/** Seconds of a request to SQS within a region, as users report it. */
export const queueSeconds = 0.012;

/** The exchange: seconds that it takes for a post, and posts that it takes a second. */
export const exchange = { seconds: 0.3, perSecond: 20 } as const;
