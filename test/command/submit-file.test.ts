import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CardFindings } from "@scorecard-pipeline/card-files/card-fault";
import { namedCards } from "@scorecard-pipeline/card-files/named-cards";
import { submitCards } from "@scorecard-pipeline/card-files/submit-cards";
import { createClient } from "@scorecard-pipeline/scorecards-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCardFile } from "../../command/submit/card-file.ts";
import { openJournal } from "../../command/submit/journal-file.ts";
import { type FakeApiOptions, fakeApi } from "../packages/client/fake-api.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scorecards-submit-"));
});
afterAll(() => rm(folder, { recursive: true }));

const cards = (count: number) => Array.from({ length: count }, (_, n) => ({ ExternalID: `card-${n}` }));
const vendor = { username: "a vendor", password: "a password", apiSet: "a-vendor" };

/** Submits a file of cards to a tiny API. */
async function submit(name: string, content: unknown, api: FakeApiOptions, signal?: AbortSignal) {
  await using fake = await fakeApi(api);
  const path = join(folder, name);
  await writeFile(path, content instanceof Uint8Array ? content : JSON.stringify(content));
  const refused: CardFindings[] = [];
  const result = await submitCards({
    client: createClient({ api: fake.address, ...vendor }),
    cards: namedCards((await openCardFile(path)).cards),
    ...(await openJournal(`${path}.accepted`, ["fake", vendor.apiSet])),
    parallel: 1,
    retrySeconds: 20,
    onFound: (one) => refused.push(one),
    onProgress: () => undefined,
    signal: signal ?? new AbortController().signal,
  });
  return { ...result, refused, requests: fake.requests.length };
}

test.each([401, 403, 400, 500])("a response with status %i ends the run with an error", async (status) => {
  const result = await submit(`${status}.json`, cards(3), { judge: () => "accepted", before: [status] });
  expect(result).toMatchObject({ accepted: 0, requests: 1 });
  expect(String(result.failure)).toContain(`HTTP ${status}`);
});

describe("a file", () => {
  const everyCard: FakeApiOptions = { judge: () => "accepted" };
  const inLines = (all: readonly object[], end = "\n") =>
    Buffer.from(all.map((one) => JSON.stringify(one) + end).join(""));

  test.each([
    ["an empty file", ""],
    ["a file of empty lines", "\n \r\n"],
    ["a file with only a byte order mark", "\ufeff"],
    ["an empty array", "[]"],
  ])("%s has no cards", async (name, text) => {
    const result = await submit(`${name}.json`, Buffer.from(text), everyCard);
    expect(result).toMatchObject({ accepted: 0, refused: [], requests: 0 });
    expect(result.failure).toBeUndefined();
  });

  test.each([
    ["an array in Latin-1", Buffer.from('[{"ExternalID":"1","Comment":"Kj\xe6r"}]', "latin1")],
    ["lines in Latin-1", Buffer.from('{"ExternalID":"1","Comment":"Kj\xe6r"}\n', "latin1")],
    ["lines in UTF-16", Buffer.from('\ufeff{"ExternalID":"1"}\n', "utf16le")],
    ["lines that end within a character", Buffer.from('{"ExternalID":"1"}\n{"ExternalID":"\xc3', "latin1")],
  ])("%s is refused, because its names would be garbled", async (name, bytes) => {
    const error = await submit(`${name}.json`, bytes, everyCard).then(
      ({ failure }) => failure,
      (thrown: unknown) => thrown,
    );
    expect(String(error)).toContain(`${name}.json is not in UTF-8. Save it in UTF-8.`);
  });

  test.each(["\n", "\r\n", "\r"])(
    "a file with %j between its lines is read whole, even letter by letter",
    async (end) => {
      const all = cards(300).map((one) => ({ ...one, Comment: "æøå🌬️".repeat(100) }));
      const comments = new Set<unknown>();
      const result = await submit(`ends-${end.length}${end.charCodeAt(0)}.ndjson`, inLines(all, end), {
        judge: ({ Comment }) => {
          comments.add(Comment);
          return "accepted";
        },
      });
      expect([result.accepted, [...comments]]).toEqual([300, ["æøå🌬️".repeat(100)]]);
    },
  );
});

test("an interrupted run says so and can be repeated", async () => {
  const interrupted = AbortSignal.abort(new Error("It was interrupted."));
  const first = await submit("interrupted.json", cards(3), { judge: () => "accepted" }, interrupted);
  expect([first.accepted, String(first.failure)]).toEqual([0, "Error: It was interrupted."]);
  expect(await submit("interrupted.json", cards(3), { judge: () => "accepted" })).toMatchObject({
    accepted: 3,
  });
});

test("a run that is interrupted while the API answers counts what the API has accepted, and begins no other request", async () => {
  const interrupt = new AbortController();
  const judge = () => {
    interrupt.abort(new Error("It was interrupted."));
    return "accepted" as const;
  };
  const first = await submit("answered.json", cards(2_500), { judge }, interrupt.signal);
  expect([first.accepted, first.requests, String(first.failure)]).toEqual([
    1_000,
    1,
    "Error: It was interrupted.",
  ]);
  expect(await submit("answered.json", cards(2_500), { judge: () => "accepted" })).toMatchObject({
    accepted: 1_500,
    acceptedBefore: 1_000,
  });
});

test("the next run sends a refused card again, but no accepted one", async () => {
  const judge: FakeApiOptions["judge"] = ({ ExternalID }) =>
    ExternalID === "card-1" ? { code: "tee_unknown" } : "accepted";
  const first = await submit("partly.json", cards(3), { judge });
  expect(first).toMatchObject({ accepted: 2, refused: [{ card: 2, externalId: "card-1" }] });
  const second = await submit("partly.json", cards(3), { judge: () => "accepted" });
  expect(second).toMatchObject({ accepted: 1, acceptedBefore: 2, refused: [] });
  const third = await submit("partly.json", cards(3), { judge: () => "accepted" });
  expect(third).toMatchObject({ accepted: 0, acceptedBefore: 3, requests: 0 });
});

test("the journal survives a run that was killed while writing it, and has no ExternalID in clear", async () => {
  const path = join(folder, "died.accepted");
  const owner = ["pipeline", "a-vendor"];
  const journal = await openJournal(path, owner);
  await journal.onAccepted([{ externalId: "Player Smith 1", json: "{}" }]);
  await writeFile(path, `${await readFile(path, "utf8")}half-a-no`);
  const next = await openJournal(path, owner);
  await next.onAccepted([{ externalId: "2", json: "{}" }]);
  const { isAccepted } = await openJournal(path, owner);
  const has = (externalId: string, json: string) => isAccepted({ externalId, json });
  expect([has("Player Smith 1", "{}"), has("2", "{}"), has("2", "{ }")]).toEqual([true, true, false]);
  expect(await readFile(path, "utf8")).not.toContain("Smith");
});

test("the journal of another pipeline or account is ignored", async () => {
  const path = join(folder, "other.accepted");
  const card = { externalId: "1", json: "{}" };
  await (await openJournal(path, ["one run", "a-vendor"])).onAccepted([card]);
  expect((await openJournal(path, ["another run", "a-vendor"])).isAccepted(card)).toBe(false);
});
