import { expect, test } from "vitest";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import type { CardAnswer } from "../../../core/cards/submit.ts";
import type { Finding } from "../../../core/golf/findings.ts";
import { accepted, acceptedInPart } from "../../../functions/submit-scorecards/answer.ts";

const finding: Finding = { index: 1, externalId: "2", pointer: "/HCP", code: "out_of_range", detail: "…" };
const taken = (externalId: string, warnings: readonly Finding[] = []): CardAnswer => ({
  valid: true,
  index: 0,
  externalId,
  contentHash: "hash",
  content: contentOf({ ID: `id of ${externalId}`, ExternalID: externalId }, warnings),
});
const refused: CardAnswer = { valid: false, externalId: "2", faults: [finding] };

test("a submission that was taken is echoed in order, with the number of its warnings in a header", () => {
  const { statusCode, body, headers } = accepted([taken("1"), taken("2", [finding, finding])]);
  expect(statusCode).toBe(201);
  expect(JSON.parse(body)).toEqual([
    { ID: "id of 1", ExternalID: "1" },
    { ID: "id of 2", ExternalID: "2" },
  ]);
  expect(headers).toMatchObject({ "Scorecard-Warnings": "2" });
});

test("a submission that was taken in part is answered with an entry for each card, in order", () => {
  const { statusCode, body, headers } = acceptedInPart([
    taken("1", [finding]),
    refused,
    { valid: false, faults: [finding] },
  ]);
  expect(statusCode).toBe(207);
  expect(JSON.parse(body)).toEqual([
    {
      index: 0,
      externalId: "1",
      status: 201,
      contentHash: "hash",
      card: { ID: "id of 1", ExternalID: "1" },
      warnings: [finding],
    },
    { index: 1, externalId: "2", status: 422, errors: [finding] },
    { index: 2, status: 422, errors: [finding] },
  ]);
  expect(headers).toMatchObject({ "Preference-Applied": "handling=lenient", "Scorecard-Warnings": "1" });
  const meant = [acceptedInPart([], true), accepted([], true), accepted([])].map((answer) => answer.headers);
  expect(meant.map((all) => all?.["Preference-Applied"])).toEqual([
    "handling=lenient, correction=any",
    "correction=any",
    undefined,
  ]);
});
