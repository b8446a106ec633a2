import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../packages/client/index.ts";

test("the client reads a player's record by the club's ID and the UnionID", async () => {
  const urls: unknown[] = [];
  const record = [{ Round: { StartTime: "20260704T093000" }, Result: { SGD: 246_000 } }];
  const server = createServer(({ url }, response) => {
    urls.push(url);
    response.end(JSON.stringify(record));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/test`;
  const client = createClient({ api, username: "greens", password: "secret" });

  expect(await client.playerRecord("7AABAF90-0000-4552-889B-553D5CE75FC6", "32-1")).toEqual(record);
  expect(urls).toEqual([
    "/test/greens/clubs/7AABAF90-0000-4552-889B-553D5CE75FC6/Memberships/Scorecards?unionid=32-1",
  ]);
});
