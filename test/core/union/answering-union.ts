import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
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

/** A union that breaks each connection off with its n-th request instead of answering, and notes which request of its connection each is. */
export async function unionThatBreaksOff(brokenRequest: number, answer: string) {
  const requests = new Map<Socket, number>();
  const seen: string[] = [];
  const address = await answeringUnion(({ method, socket }, response) => {
    const place = (requests.get(socket) ?? 0) + 1;
    requests.set(socket, place);
    seen.push(`${method} ${place}`);
    if (place >= brokenRequest) socket.destroy();
    else response.end(answer);
  });
  return { address, seen };
}

/** Starts a union that gives every request the same answer. */
export const answering = (status: number, text: string) =>
  answeringUnion((_, response) => {
    response.statusCode = status;
    response.end(text);
  });
