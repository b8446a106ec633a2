export { eventsOf } from "./batch-events.ts";
export { engineVariables } from "./function-type.ts";
export { maxPayloadBytes } from "./local-function.ts";
export { collectResponse, installResponseStreaming, streamingHandler } from "./response-stream.ts";
