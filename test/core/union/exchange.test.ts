import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { exchange } from "../../../core/union/exchange.ts";
import { answeringUnion } from "./answering-union.ts";

const account = { username: "green", password: "secret", unionApiSet: "green-set", token: "" };
const cards = [
  { externalId: "1", card: JSON.stringify({ ExternalID: "1", HCP: "158000" }) },
  { externalId: "2", card: JSON.stringify({ ExternalID: "2" }) },
];
const now = () => new Date("2026-06-01T12:00:00Z");
const post = (address: string, timeoutMilliseconds = 60_000, token = "") =>
  exchange(
    address,
    "Clubs/Members/ExchangedScorecards",
    timeoutMilliseconds,
    now,
  )({ ...account, token }, cards, { closesConnection: false });

test("cards go as an array, to the vendor's own path, with the four headers the union requires", async () => {
  const seen: unknown[] = [];
  const address = await answeringUnion(async (request, response) => {
    const { authorization, token, accept } = request.headers;
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk);
    seen.push(request.method, request.url, authorization, token, accept, request.headers["content-type"]);
    seen.push(JSON.parse(Buffer.concat(body).toString()));
    response.end("[]");
  });
  await post(address);
  const basic = `Basic ${Buffer.from("green:secret").toString("base64")}`;
  const path = "/green-set/Clubs/Members/ExchangedScorecards";
  const json = "application/json";
  expect(seen).toEqual(["POST", path, basic, "", json, json, cards.map(({ card }) => JSON.parse(card))]);
});

test("the echo says which cards the exchange took", async () => {
  const address = await answeringUnion((_, response) =>
    response.end(JSON.stringify([{ ExternalID: "2", Extra: 1 }])),
  );
  expect(await post(address)).toMatchObject({ phase: "after", status: 200, echoed: new Set(["2"]) });
});

test.each([
  [207, new Map([["1", 422]])],
  [200, undefined],
])("a refusal within %i counts as one only if that is 207", async (status, refused) => {
  const answer = JSON.stringify({
    Accepted: [{ ExternalID: "2" }],
    Rejected: [{ ExternalID: "1", Status: 422 }],
  });
  const address = await answeringUnion((_, response) => response.writeHead(status).end(answer));
  const result = await post(address);
  expect(result).toMatchObject({ status });
  expect("refused" in result ? result.refused : undefined).toEqual(refused);
});

test("a 207 that refuses cards says what became of them, and its shape is not told", async () => {
  const answer = JSON.stringify(["1", "2"].map((ExternalID) => ({ ExternalID, Status: 422 })));
  const address = await answeringUnion((_, response) => response.writeHead(207).end(answer));
  expect(await post(address)).not.toHaveProperty("shape");
});

test("of a long answer the first 500 characters are kept", async () => {
  const address = await answeringUnion((_, response) => response.writeHead(500).end("x".repeat(5000)));
  expect(await post(address)).toMatchObject({ bodyExcerpt: "x".repeat(500) });
});

test("an answer that is too large is told, and leaves it open whether the cards were taken", async () => {
  const piece = Buffer.alloc(2 ** 20, " ");
  const address = await answeringUnion((_, response) => {
    const go = () => {
      while (response.write(piece));
    };
    response.on("drain", go);
    go();
  });
  expect(await post(address)).toMatchObject({
    phase: "during",
    message: expect.stringContaining("is more than"),
  });
});

test.each(["", "null", "{", "<html>", '[{"ID":"1"}]', "[1]"])(
  "an answer of %j echoes nothing",
  async (text) => {
    const address = await answeringUnion((_, response) => response.end(text));
    expect(await post(address)).toMatchObject({ phase: "after", status: 200, echoed: new Set() });
  },
);

test.each([
  ["30", 30],
  ["Mon, 01 Jun 2026 12:01:00 GMT", 60],
  ["Mon, 01 Jun 2026 11:59:00 GMT", undefined],
  ["86400", 3600],
  ["soon", undefined],
] as const)("Retry-After: %s is %s seconds", async (header, seconds) => {
  const address = await answeringUnion((_, response) =>
    response.writeHead(429, { "Retry-After": header }).end("slow down"),
  );
  const result = await post(address);
  expect(result).toMatchObject({ status: 429, bodyExcerpt: "slow down" });
  expect("retryAfterSeconds" in result ? result.retryAfterSeconds : undefined).toBe(seconds);
});

test("without a connection the exchange has seen nothing", async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  expect(await post(`http://127.0.0.1:${port}`)).toMatchObject({ phase: "before" });
});

test.each([
  ["another scheme", "ftp://union.example"],
  ["no host", "http://["],
  ["a password in it", "http://green:secret@127.0.0.1"],
])("with an address that has %s it has seen nothing either", async (_what, address) => {
  expect(await post(address)).toEqual({
    phase: "before",
    message: "No connection to the exchange (its address or a header is not allowed).",
  });
});

test.each(["line\nbreak", "kΩb"])(
  "an error does not repeat a token that no header can carry (%j)",
  async (token) => {
    let requests = 0;
    const address = await answeringUnion((_, response) => {
      requests += 1;
      response.end("[]");
    });
    const result = await post(address, 60_000, token);
    expect([result.phase, requests]).toEqual(["before", 0]);
    expect(JSON.stringify(result)).not.toMatch(/line|break|k.b/);
  },
);

test("an exchange that answers 407 may have been reached, since only proxies answer it", async () => {
  const address = await answeringUnion((_, response) => response.writeHead(407).end());
  expect(await post(address)).toEqual({
    phase: "during",
    message: "The connection to the exchange broke (a proxy answered 407).",
  });
});

test("a connection that breaks leaves it open whether the cards were taken", async () => {
  const address = await answeringUnion((request) => request.socket.destroy());
  expect(await post(address)).toMatchObject({ phase: "during" });
});

test("a response that breaks off halfway leaves it open whether the cards were taken", async () => {
  const address = await answeringUnion((request, response) => {
    response.writeHead(200, { "Content-Length": "1000" });
    response.write("[{", () => request.socket.destroy());
  });
  expect(await post(address)).toMatchObject({ phase: "during" });
});

test("a response that does not come in time leaves it open whether the cards were taken", async () => {
  const address = await answeringUnion(() => undefined);
  expect(await post(address, 50)).toEqual({
    phase: "during",
    message: "The exchange did not answer in time.",
  });
});
