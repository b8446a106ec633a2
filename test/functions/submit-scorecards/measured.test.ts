import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import type { CardAnswer } from "../../../core/cards/submit.ts";
import type { Finding } from "../../../core/golf/findings.ts";
import { RefusalError } from "../../../core/golf/refusal.ts";
import { measured } from "../../../functions/submit-scorecards/measured.ts";

/** Lines of embedded metrics, and warnings beside them. */
let lines: string[];

beforeEach(() => {
  vi.stubEnv("POWERTOOLS_METRICS_NAMESPACE", "test");
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
  lines = [];
  refused = [];
  const keep = (line: string) => void lines.push(line);
  for (const name of ["log", "warn"] as const) vi.spyOn(console, name).mockImplementation(keep);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const fault: Finding = { index: 1, pointer: "/HCP", code: "out_of_range", detail: "…" };
const good = { valid: true as const, index: 0, externalId: "1", contentHash: "h", content: contentOf({}) };
const bad: CardAnswer = { valid: false, externalId: "2", faults: [fault, fault] };
/** The faults that were counted for the vendor. */
let refused: (readonly Finding[])[];
const countRefused = async (faults: readonly Finding[]) => void refused.push(faults);
const measure = (submission: Promise<readonly CardAnswer[]>) => measured("id", submission, countRefused);
const figures = (line = "{}") => {
  const { _aws, service: _, ...figuresOfLine } = JSON.parse(line);
  return figuresOfLine;
};

test("cards are counted as they were answered, with the request that brought them", async () => {
  expect(await measure(Promise.resolve([good, bad]))).toEqual([good, bad]);
  expect(lines.map(figures)).toEqual([
    { requestId: "id", CardsAccepted: 1, CardsRefused: 1 },
    { requestId: "id", code: "out_of_range", CardFaults: 2 },
  ]);
});

test("faults are counted for the vendor, of a submission that is refused and of one that is in part", async () => {
  await measure(Promise.resolve([good, bad]));
  const refusal = new RefusalError({ kind: "invalidCards", faults: [fault], cards: 1 });
  await expect(measure(Promise.reject(refusal))).rejects.toBe(refusal);
  await measure(Promise.resolve([good]));
  expect(refused).toEqual([[fault, fault], [fault]]);
});

test("an answer does not depend on whether its refusals can be counted", async () => {
  const broken = () => Promise.reject(new Error("no table"));
  expect(await measured("id", Promise.resolve([bad]), broken)).toEqual([bad]);
});

test("of cards that were all taken the line leaves out the request, which the access log has", async () => {
  await measure(Promise.resolve([good, good]));
  expect(lines.map(figures)).toEqual([{ CardsAccepted: 2 }]);
});

test("warnings of cards that were taken are counted", async () => {
  const warned: CardAnswer = { ...good, content: contentOf({}, [fault, fault]) };
  await measure(Promise.resolve([warned, good]));
  expect(lines.map(figures)).toEqual([{ CardsAccepted: 2, CardWarnings: 2 }]);
});

test("the faults of a submission that is refused are counted, and it is refused all the same", async () => {
  const refusal = new RefusalError({ kind: "invalidCards", faults: [fault], cards: 1 });
  await expect(measure(Promise.reject(refusal))).rejects.toBe(refusal);
  expect(lines.map(figures)).toEqual([
    { requestId: "id", CardsRefused: 1 },
    { requestId: "id", code: "out_of_range", CardFaults: 1 },
  ]);
});

test("a request without a card is none to count, and no line is written of it", async () => {
  const refusal = new RefusalError({ kind: "unreadable", title: "Not JSON", detail: "…" });
  await expect(measure(Promise.reject(refusal))).rejects.toBe(refusal);
  await measure(Promise.resolve([]));
  expect(lines).toEqual([]);
});
