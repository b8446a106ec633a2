export { readFilterCriteria } from "./filter-criteria.ts";
export { applyStatement, keyOfStatement, parseStatement } from "./statement.ts";
export { openStream, type StreamsApi, streamsApiAt } from "./stream-reader.ts";
export type { StreamRecord } from "./table-stream.ts";
export { startDynamoDb } from "./tables.ts";
