export { startSqs } from "./queues.ts";
export { sqsRecord } from "./sqs-event.ts";
