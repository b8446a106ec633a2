import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Assessment, assessSubmission } from "../../../core/golf/assess.ts";
import { faultCodes, warningCodes } from "../../../core/golf/findings.ts";
import { type MemberWarningCode, memberWarning } from "../../../core/golf/member-warnings.ts";
import { notRecorded } from "../../../core/golf/not-recorded.ts";
import { corruptions } from "./corruptions.ts";
import { goodCards } from "./good-cards.ts";
import { context, fullCard } from "./sample-cards.ts";

const document = readFileSync(new URL("../../../docs/faults.md", import.meta.url), "utf8");

/** What the document says of each code: its text, and its example parsed. */
function described(chapter: string): { code: string; text: string; example: unknown }[] {
  const [, body = ""] = document.split(`\n## ${chapter}\n`);
  const [sections = ""] = body.split(/\n## /);
  return sections
    .split("\n### ")
    .slice(1)
    .map((section) => {
      const [, code = "", text = "", json = ""] =
        /^`(\w+)`\n\n(.+)\n\n```json\n([^`]+)```/.exec(section) ?? [];
      return { code, text, example: JSON.parse(json) };
    });
}

/** All that is found in the sample cards, as the document shows it. */
function findings(assessments: readonly Assessment[]): unknown[] {
  return assessments
    .flatMap((assessment) => [...assessment.warnings, ...(assessment.good ? [] : assessment.faults)])
    .map(({ index, externalId, ...finding }) => JSON.parse(JSON.stringify(finding)));
}

const spoilt = () => [
  ...Object.values(corruptions).flatMap(({ spoil, card = fullCard, context: changes }) =>
    assessSubmission([spoil(card())], context(changes)),
  ),
  ...assessSubmission([fullCard(), fullCard()], context()),
];
const memberCodes: readonly MemberWarningCode[] = [
  "player_unknown",
  "tee_gender_differs",
  "handicap_status",
  "no_right_to_play",
  "membership_ended",
  "handicap_differs",
  "marker_unknown",
];
/** Cards of one player that begin at these times of a day. */
const rounds = (...times: string[]) =>
  assessSubmission(
    times.map((time) =>
      fullCard({
        ExternalID: `card-${time}`,
        ID: undefined,
        Round: { ...fullCard().Round, StartTime: `20250622T${time}00` },
      }),
    ),
    context(),
  );
const odd = () => [
  ...rounds("1000", "1100"),
  ...rounds("0400", "0600", "0800", "1000", "1200", "1400", "1600"),
  ...Object.values(goodCards).flatMap(({ card, context: changes }) =>
    assessSubmission([card()], context(changes?.())),
  ),
  ...assessSubmission([fullCard(), fullCard({ ExternalID: "other" })], context()),
  // The union knows the players and their records, not the card's assessment.
  ...assessSubmission([fullCard()], context()).map((card) => {
    const found = memberCodes.map((code) =>
      memberWarning(card.index, "", {
        code,
        ...(code === "handicap_differs" && { expected: "91000", received: "90000" }),
      }),
    );
    return { ...card, warnings: [...found, notRecorded("", found, undefined)] };
  }),
];

/** A text tells its reader what to do: to send, to leave out, to correct or to ask something, or nothing. */
const remedy =
  /\b(must be|[Ss]end|[Gg]ive each|[Ll]eave|[Cc]ompare|[Aa]sk the union|(nothing|Nothing)( else| that was sent)? is to be corrected)\b/;

const all = findings([...spoilt(), ...odd()]) as { code: string; detail: string }[];

test.each([...faultCodes, ...warningCodes])("every text of %s says what to do", (code) => {
  const texts = all.filter((finding) => finding.code === code);
  expect(texts.length).toBeGreaterThan(0);
  for (const { detail } of texts) expect(detail).toMatch(remedy);
});

describe.each([
  { chapter: "Faults", codes: faultCodes, cards: spoilt },
  { chapter: "Warnings", codes: warningCodes, cards: odd },
])("docs/faults.md, $chapter", ({ chapter, codes, cards }) => {
  test("describes every code there is, and no other", () => {
    expect(described(chapter).map(({ code }) => code)).toEqual(codes);
  });

  test("shows of each what a card is really answered", () => {
    const found = findings(cards());
    for (const { code, text, example } of described(chapter)) {
      expect(example).toMatchObject({ code, detail: expect.any(String) });
      expect(found).toContainEqual(example);
      expect(text).toMatch(/\.( .+)?$|\.\)$/);
    }
  });
});
