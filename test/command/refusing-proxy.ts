import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { type LoopbackServer, startLoopbackServer } from "@scorecard-pipeline/local-aws/loopback-server";

/** A service that answers some requests with an error of AWS, and passes all others on. */
export const startRefusingProxy = (
  address: string,
  error: string,
  isRefused: (request: IncomingMessage) => boolean,
): Promise<LoopbackServer> =>
  startLoopbackServer(async (request, response) => {
    const { method = "GET", url = "/" } = request;
    if (isRefused(request)) {
      const body = JSON.stringify({ __type: error, message: "not allowed" });
      response.writeHead(400, { "x-amzn-ErrorType": error }).end(body);
      return;
    }
    const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
    const body = await buffer(request);
    const passedOn = { method, headers: headers as Record<string, string>, ...(body.length > 0 && { body }) };
    const answer = await fetch(address + url, passedOn);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
