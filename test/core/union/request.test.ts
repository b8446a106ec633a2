import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { askUnion } from "../../../core/union/request.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A union that breaks a connection with its n-th request off instead of answering, and notes all that come. */
async function unionThatBreaksOff(brokenRequest: number) {
  const requests = new Map<Socket, number>();
  const seen: string[] = [];
  const server = createServer(({ method, socket }, response) => {
    const place = (requests.get(socket) ?? 0) + 1;
    requests.set(socket, place);
    seen.push(`${method} ${place}`);
    if (place === brokenRequest) socket.destroy();
    else response.end("[]");
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const account = { username: "green", password: "secret", unionApiSet: "green", token: "" };
  const ask = async (method: "GET" | "POST") => {
    const request = { method, path: "Clubs", ...(method === "POST" && { body: "[]" }) };
    const { text } = await askUnion(address, account, { ...request, timeoutMilliseconds: 60_000 });
    // So that the connection is free for the next request.
    await turn();
    return text;
  };
  return { ask, seen };
}

test("what is only asked is asked again where the union has closed the connection that was kept", async () => {
  const { ask, seen } = await unionThatBreaksOff(2);
  await ask("GET");
  expect(await ask("GET")).toBe("[]");
  expect(seen).toEqual(["GET 1", "GET 2", "GET 1"]);
});

test("what is posted is not posted again, since the union may have taken it", async () => {
  const { ask, seen } = await unionThatBreaksOff(2);
  await ask("POST");
  await expect(ask("POST")).rejects.toThrow(TypeError);
  expect(seen).toEqual(["POST 1", "POST 2"]);
});

test("a union that breaks every connection off is asked twice, and no more", async () => {
  const { ask, seen } = await unionThatBreaksOff(1);
  await expect(ask("GET")).rejects.toThrow(TypeError);
  expect(seen).toEqual(["GET 1", "GET 1"]);
});
