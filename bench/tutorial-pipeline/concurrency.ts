/** Requests under way at once in one execution environment: as many as the pipeline itself allows. */
export const parallelRequests = 8;
