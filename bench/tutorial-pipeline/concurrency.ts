/** Requests under way at once in an environment that takes submissions: as many as the pipeline's own has at the most. */
export const requestsOfSubmission = 20;
/** The same in one that delivers. */
export const requestsOfDelivery = 8;
