import middy from "@middy/core";
import { type OpenRequest, readOpenRequest } from "./request.ts";
import type { HttpResponse } from "./response.ts";

/**
 * Creates the handler of routes at the API's root, which need no account. Without an `onError` of its own, an error gets API
 * Gateway's response 502.
 */
export function openRoute<Body extends string | Uint8Array = string>(
  respond: (request: OpenRequest) => HttpResponse<Body> | Promise<HttpResponse<Body>>,
) {
  return middy<unknown, HttpResponse<Body>>().handler(async (event) => respond(readOpenRequest(event)));
}
