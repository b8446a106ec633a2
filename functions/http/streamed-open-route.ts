import { openRoute } from "./open-route.ts";
import type { OpenRequest } from "./request.ts";
import { type StreamedResponse, streamedResponse } from "./streamed-response.ts";

/** The same as {@link openRoute}, for routes whose integration streams. */
export function streamedOpenRoute(respond: (request: OpenRequest) => StreamedResponse) {
  return streamedResponse(openRoute(respond));
}
