import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createServer as createNetServer, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { exchange } from "../../../core/union/exchange.ts";
import { askUnion, NotSentError } from "../../../core/union/request.ts";
import { selfSignedCertificate } from "../webhooks/certificate.ts";
import { answeringUnion, unionThatBreaksOff } from "./answering-union.ts";

const account = { username: "green", password: "secret", unionApiSet: "green", token: "" };
const request = { method: "GET", path: "Clubs", timeoutMilliseconds: 60_000 } as const;
const post = (address: string, { timeout = 60_000, closesConnection = false } = {}) =>
  exchange(
    address,
    "Cards",
    timeout,
    () => new Date(),
  )(account, [{ externalId: "1", card: '{"ExternalID":"1"}' }], { closesConnection });
const echo = '[{"ExternalID":"1"}]';

afterEach(() => vi.useRealTimers());

/** Lets the wall clock go on, as it does between two runs of a function whose timers stand still. */
function passSeconds(seconds: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
}

test("a post after a pause uses a new connection, since the union may have closed the old one", async () => {
  const { address, seen } = await unionThatBreaksOff(2, echo);
  for (let run = 0; run < 20; run++) {
    expect(await post(address)).toMatchObject({ phase: "after", echoed: new Set(["1"]) });
    await turn();
    passSeconds(3 * (run + 1));
  }
  expect(new Set(seen)).toEqual(new Set(["POST 1"]));
});

test("posts that follow each other share a connection, which gathers nothing, and one that closes it has one of its own", async () => {
  const sockets: Socket[] = [];
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  const address = await answeringUnion(({ socket }, response) => {
    sockets.push(socket);
    response.end(echo);
  });
  for (const closesConnection of [false, false, true, false]) {
    await post(address, { closesConnection });
    await turn();
  }
  for (let more = 0; more < 12; more++) {
    await post(address);
    await turn();
  }
  expect(warnings).toEqual([]);
  const [first, second, own, last] = sockets;
  expect(second).toBe(first);
  expect(last).toBe(first);
  expect(own).not.toBe(first);
});

/** Starts a server of connections, until the test is over; resolves to its port. */
async function listening(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = [];
  const server = createNetServer((socket) => {
    sockets.push(socket.on("error", () => undefined));
    onConnection(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const failingHandshakes: readonly [what: string, onConnection: (socket: Socket) => void][] = [
  ["breaks off", (socket) => socket.once("data", () => socket.destroy())],
  ["is answered in another protocol", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
  ["does not end in time", () => undefined],
];

test.each(failingHandshakes)("a post whose TLS handshake %s was never sent", async (_, onConnection) => {
  const port = await listening(onConnection);
  expect(await post(`https://127.0.0.1:${port}`, { timeout: 100 })).toMatchObject({ phase: "before" });
});

test("a post to a server whose certificate nobody vouches for was never sent", async () => {
  let requests = 0;
  const server = createTlsServer(selfSignedCertificate(["127.0.0.1"]), (_, response) => {
    requests += 1;
    response.end(echo);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const result = await post(`https://127.0.0.1:${port}`);
  expect([result.phase, requests]).toEqual(["before", 0]);
});

test("a request that could not be sent says so by its error", async () => {
  const port = await listening((socket) => socket.destroy());
  await expect(askUnion(`https://127.0.0.1:${port}`, account, request)).rejects.toThrow(NotSentError);
});

test.each(["100 Continue", "102 Processing", "103 Early Hints"])(
  "an answer that begins with an unasked %s is read all the same",
  async (status) => {
    const port = await listening((socket) => {
      socket.once("data", () => {
        const final = `HTTP/1.1 200 OK\r\nContent-Length: ${echo.length}\r\n\r\n${echo}`;
        socket.write(`HTTP/1.1 ${status}\r\n\r\n${final}`);
      });
    });
    expect(await post(`http://127.0.0.1:${port}`)).toMatchObject({ status: 200, echoed: new Set(["1"]) });
  },
);

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
] as const)("an answer in %s is decoded", async (encoding, encode) => {
  const address = await answeringUnion(({ headers }, response) => {
    expect(headers["accept-encoding"]).toContain(encoding);
    response.writeHead(200, { "Content-Encoding": encoding }).end(encode("Bækkestensgården"));
  });
  expect((await askUnion(address, account, request)).text).toBe("Bækkestensgården");
});

test.each([
  ["application/json; charset=iso-8859-1", "latin1"],
  ["application/json; charset=utf-8", "utf8"],
  ["application/json; charset=klingon", "utf8"],
  ["application/json", "utf8"],
] as const)("an answer of type %s is read in its charset", async (type, encoding) => {
  const address = await answeringUnion((_, response) =>
    response.writeHead(200, { "Content-Type": type }).end(Buffer.from("Bækkestensgården", encoding)),
  );
  expect((await askUnion(address, account, request)).text).toBe("Bækkestensgården");
});
