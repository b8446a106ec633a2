import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCardFile } from "../../command/submit/card-file.ts";
import { openJournal } from "../../command/submit/journal.ts";
import { submissionsOf } from "../../command/submit/submissions.ts";
import { type RefusedCard, submitFile } from "../../command/submit/submit-file.ts";
import { type FakeApiOptions, fakeApi } from "../client/fake-api.ts";

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
  const refused: RefusedCard[] = [];
  const result = await submitFile({
    access: { api: fake.address, pipeline: "fake", vendor },
    file: await openCardFile(path),
    journal: await openJournal(`${path}.accepted`, ["fake", vendor.apiSet]),
    parallel: 1,
    patienceSeconds: 20,
    onRefused: (one) => refused.push(one),
    onProgress: () => undefined,
    signal: signal ?? new AbortController().signal,
  });
  return { ...result, refused, requests: fake.requests.length };
}

test("an API that is busy, or away for a while, gets every card in the end", async () => {
  const before: FakeApiOptions["before"] = [503, "lost", 429, 504];
  const result = await submit("busy.json", cards(30), { judge: () => "accepted", before, retryAfter: "0" });
  expect(result).toMatchObject({ accepted: 30, refused: [], requests: 5 });
  expect(result.failure).toBeUndefined();
});

test("a submission that is too large with all that is derived is cut in two, down to the one card", async () => {
  const result = await submit("too-large.json", cards(4), {
    judge: () => "accepted",
    before: [413, 413, 413],
  });
  expect(result).toMatchObject({ accepted: 3, refused: [{ card: 1, errors: [{ code: "too_large" }] }] });
  expect(result.requests).toBe(5);
});

test.each([401, 403, 400, 500])("an API that answers %i ends it, and says so", async (status) => {
  const result = await submit(`${status}.json`, cards(3), { judge: () => "accepted", before: [status] });
  expect(result).toMatchObject({ accepted: 0, requests: 1 });
  expect(String(result.failure)).toContain(`HTTP ${status}`);
});

describe("a file", () => {
  const everyCard: FakeApiOptions = { judge: () => "accepted" };
  const inLines = (all: readonly object[], end = "\n") =>
    Buffer.from(all.map((one) => JSON.stringify(one) + end).join(""));

  test.each([
    ["of no bytes", ""],
    ["of empty lines", "\n \r\n"],
    ["of a byte order mark", "\ufeff"],
    ["of an empty array", "[]"],
  ])("%s has no cards yet", async (name, text) => {
    const result = await submit(`${name}.json`, Buffer.from(text), everyCard);
    expect(result).toMatchObject({ accepted: 0, refused: [], requests: 0 });
    expect(result.failure).toBeUndefined();
  });

  test.each([
    ["an array in Latin-1", Buffer.from('[{"ExternalID":"1","Comment":"Kj\xe6r"}]', "latin1")],
    ["lines in Latin-1", Buffer.from('{"ExternalID":"1","Comment":"Kj\xe6r"}\n', "latin1")],
    ["lines in UTF-16", Buffer.from('\ufeff{"ExternalID":"1"}\n', "utf16le")],
    ["lines that end within a character", Buffer.from('{"ExternalID":"1"}\n{"ExternalID":"\xc3', "latin1")],
  ])("of %s is refused, since names in it would be spoilt", async (name, bytes) => {
    const failure = await submit(`${name}.json`, bytes, everyCard).then(
      ({ failure: told }) => told,
      (error: unknown) => error,
    );
    expect(String(failure)).toContain(`${name}.json is not UTF-8, which JSON has to be: save it as UTF-8.`);
  });

  test.each(["\n", "\r\n", "\r"])(
    "with %j between its lines is read whole, letter by letter",
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

test("what was interrupted says so and can be begun again", async () => {
  const interrupted = AbortSignal.abort(new Error("It was interrupted."));
  const first = await submit("interrupted.json", cards(3), { judge: () => "accepted" }, interrupted);
  expect([first.accepted, String(first.failure)]).toEqual([0, "Error: It was interrupted."]);
  expect(await submit("interrupted.json", cards(3), { judge: () => "accepted" })).toMatchObject({
    accepted: 3,
  });
});

test("a refused card is sent again by the next run, an accepted one is not", async () => {
  const judge: FakeApiOptions["judge"] = ({ ExternalID }) =>
    ExternalID === "card-1" ? { code: "tee_unknown" } : "accepted";
  const first = await submit("partly.json", cards(3), { judge });
  expect(first).toMatchObject({ accepted: 2, refused: [{ card: 2, externalId: "card-1" }] });
  const second = await submit("partly.json", cards(3), { judge: () => "accepted" });
  expect(second).toMatchObject({ accepted: 1, acceptedBefore: 2, refused: [] });
  const third = await submit("partly.json", cards(3), { judge: () => "accepted" });
  expect(third).toMatchObject({ accepted: 0, acceptedBefore: 3, requests: 0 });
});

test("notes survive a run that died in the middle of one, and hold no ExternalID", async () => {
  const path = join(folder, "died.accepted");
  const whose = ["pipeline", "a-vendor"];
  const journal = await openJournal(path, whose);
  await journal.add([{ externalId: "Player Smith 1", json: "{}" }]);
  await writeFile(path, `${await readFile(path, "utf8")}half-a-no`);
  const next = await openJournal(path, whose);
  await next.add([{ externalId: "2", json: "{}" }]);
  const last = await openJournal(path, whose);
  expect([last.has("Player Smith 1", "{}"), last.has("2", "{}"), last.has("2", "{ }")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(await readFile(path, "utf8")).not.toContain("Smith");
});

test("notes of another pipeline or account do not count", async () => {
  const path = join(folder, "other.accepted");
  await (await openJournal(path, ["one run", "a-vendor"])).add([{ externalId: "1", json: "{}" }]);
  expect((await openJournal(path, ["another run", "a-vendor"])).has("1", "{}")).toBe(false);
});

test("submissions keep both limits, and a card over them goes by itself", async () => {
  async function* texts(...sizes: number[]) {
    for (const size of sizes) yield { json: "x".repeat(size) };
  }
  const sizes: number[][] = [];
  for await (const submission of submissionsOf(texts(10, 10, 10, 10, 90, 200, 10), {
    cards: 3,
    bytes: 100,
  })) {
    sizes.push(submission.map(({ json }) => json.length));
  }
  expect(sizes).toEqual([[10, 10, 10], [10], [90], [200], [10]]);
});
