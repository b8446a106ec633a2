import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createClient, type RememberedAnswer } from "../../../packages/client/index.ts";

/** An API with one club, whose answers have ETags. */
let clubs: { ID: string; Name: string }[];
let bodiesSent: number;
let extraHeaders: Record<string, string>;
let api: string;
let stop: () => void;

beforeEach(async () => {
  clubs = [{ ID: "1", Name: "Ærø Golf Club" }];
  bodiesSent = 0;
  extraHeaders = {};
  const server = createServer((request, response) => {
    const body = JSON.stringify(clubs);
    const etag = `W/"${Buffer.from(body).toString("base64url")}"`;
    if (request.headers["if-none-match"] === etag) return void response.writeHead(304, { etag }).end();
    bodiesSent += 1;
    response.writeHead(200, { etag, ...extraHeaders }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/test`;
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(() => stop());

const account = { username: "greens", password: "secret" };
const withCache = (cache: Map<string, RememberedAnswer>) => createClient({ api, ...account, cache });

test("clubs that have not changed are read from the cache, also by a later process", async () => {
  const cache = new Map<string, RememberedAnswer>();
  const first = await withCache(cache).clubs();
  const restored = new Map<string, RememberedAnswer>(JSON.parse(JSON.stringify([...cache])));
  expect(await withCache(restored).clubs()).toEqual(first);
  expect(bodiesSent).toBe(1);
});

test("clubs that have changed are downloaded, and remembered instead", async () => {
  const client = withCache(new Map());
  await client.clubs();
  clubs = [{ ID: "1", Name: "Samsø Golf Club" }];
  expect((await client.clubs())[0]?.Name).toBe("Samsø Golf Club");
  await client.clubs();
  expect(bodiesSent).toBe(2);
});

test("what the caller changes of an answer does not change what is remembered", async () => {
  const client = withCache(new Map());
  (await client.clubs()).pop();
  expect(await client.clubs()).toHaveLength(1);
});

test("neither credentials nor answers of `no-store` are remembered", async () => {
  const cache = new Map<string, RememberedAnswer>();
  extraHeaders = { "Cache-Control": "no-store" };
  await withCache(cache).golfer({ unionID: "32-1" });
  expect(cache.size).toBe(0);
  extraHeaders = {};
  await withCache(cache).clubs();
  expect([...cache.keys()]).toEqual([`${api}/greens/Clubs`]);
  expect(JSON.stringify([...cache])).not.toContain(account.password);
});

test("changes since a time are not remembered: each request asks for another time", async () => {
  const cache = new Map<string, RememberedAnswer>();
  await withCache(cache).courses("1", { changedsince: new Date() });
  expect(cache.size).toBe(0);
});

test("without a cache everything is downloaded", async () => {
  const client = createClient({ api, ...account });
  await client.clubs();
  await client.clubs();
  expect(bodiesSent).toBe(2);
});
