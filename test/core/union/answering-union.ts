import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Starts a union that answers as it is told, until the test is over; resolves to its address. */
export async function answeringUnion(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a union that gives every request the same answer. */
export const answering = (status: number, text: string) =>
  answeringUnion((_, response) => {
    response.statusCode = status;
    response.end(text);
  });
