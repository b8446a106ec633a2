import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "@scorecard-pipeline/scorecards-client";
import { expect, test } from "vitest";
import { courseToPlay } from "../../command/smoke/course-to-play.ts";
import { version } from "../sample/small-union.ts";

const vendor = { username: "greens", password: "secret", apiSet: "greens" };

test("the course to play is chosen at the union's local time, and has been in force for some days", async () => {
  const now = new Date("2026-06-30T22:30:00Z");
  const asked: (string | null)[] = [];
  const server = createServer(({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://fake");
    if (pathname.endsWith("/Clubs")) {
      response.end(JSON.stringify([{ ID: "club", UnionNumber: 25 }]));
      return;
    }
    asked.push(searchParams.get("inforce"));
    const versions = [version(1, { ActivationDate: "20260628T220000" }), version(2)];
    response.end(JSON.stringify(versions));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/test`;
  const { signal } = new AbortController();
  const course = await courseToPlay(createClient({ api, ...vendor }), now, "Europe/Copenhagen", signal);
  server.closeAllConnections();
  server.close();
  expect(asked).toEqual(["20260701T003000"]);
  expect(course).toMatchObject({ unionNumber: 25, versionId: version(2).ID });
});
