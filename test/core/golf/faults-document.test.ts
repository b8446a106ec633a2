import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { judgeCorrection } from "../../../core/cards/delivery/correction.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { notRecorded, recordedTwice } from "../../../core/cards/status.ts";
import { type Assessment, assessSubmission } from "../../../core/golf/assess.ts";
import { faultCodes, playersWarningCodes, warningCodes } from "../../../core/golf/findings.ts";
import { memberWarning } from "../../../core/golf/member-warnings.ts";
import { storedCard } from "../memory/stored-card.ts";
import { corruptions } from "./corruptions.ts";
import { goodCards } from "./good-cards.ts";
import { context, fullCard, minimalCard, strokesOfRound } from "./sample-cards.ts";

const document = readFileSync(new URL("../../../docs/faults.md", import.meta.url), "utf8");

/** A code as the document describes it: in which kind of chapter, what it says, and its example. */
interface Described {
  readonly kind: string;
  readonly code: string;
  readonly meaning: string;
  readonly remedy: string;
  readonly example: { pointer: string; received?: unknown; expected?: unknown };
}

/** `Example: `, a pointer or `whole card`, and the values, in this order. */
const exampleLine =
  /^Example: (?:`(?<pointer>[^`]+)`|whole card)(?:, received `(?<received>[^`]+)`)?(?:, expected `(?<expected>[^`]+)`)?$/;

/** What the document says of each code, in its order. */
const described: readonly Described[] = Array.from(
  document.matchAll(/^## [\w ]+: (faults|warnings)\n([\s\S]+?)(?=^## |$(?![\s\S]))/gm),
  ([, kind = "", chapter = ""]) =>
    chapter
      .split("\n### ")
      .slice(1)
      .map((section): Described => {
        const [, code = "", meaning = "", remedy = "", line = ""] =
          /^`(\w+)`\n\n(.+)\n(.+)\n\n(.+)\n*$/.exec(section) ?? [];
        const { pointer = "", received, expected } = exampleLine.exec(line)?.groups ?? {};
        const example = {
          pointer,
          ...(received !== undefined && { received: JSON.parse(received) }),
          ...(expected !== undefined && { expected: JSON.parse(expected) }),
        };
        return { kind, code, meaning, remedy, example: exampleLine.test(line) ? example : { pointer: line } };
      }),
).flat();

/** All that is found in the sample cards, as the document shows it. */
function findings(assessments: readonly Assessment[]): unknown[] {
  return assessments
    .flatMap((assessment) => [...assessment.warnings, ...(assessment.good ? [] : assessment.faults)])
    .map(({ index, externalId, ...finding }) => JSON.parse(JSON.stringify(finding)));
}

/** What is found about a card of another player that has the name of a delivered one. */
const replacing = (StartTime: string) => {
  const card = (round: object, player: object) =>
    contentOf({ ...fullCard(), Round: { ...fullCard().Round, ...round }, Player: player });
  const compared = { index: 0, externalId: "417", contentHash: "other" };
  const stored = storedCard("417", { state: "delivered", content: card({}, { UnionID: "6-1" }) });
  const content = card({ StartTime }, { UnionID: "6-2" });
  const { fault, warning } = judgeCorrection({ ...compared, content }, stored, false);
  return { faults: fault ? [fault] : [], warnings: warning ? [warning] : [] };
};
const [reusedName, otherPlayer] = [replacing("20250601T100000"), replacing(fullCard().Round.StartTime)];

const spoilt = findings([
  { good: false, index: 0, ...reusedName },
  ...Object.values(corruptions).flatMap(({ spoil, card = fullCard, context: changes }) =>
    assessSubmission([spoil(card())], context(changes)),
  ),
  ...assessSubmission([fullCard(), fullCard()], context()),
]);
/** Cards of one player that begin at these times of a day. */
const rounds = (...times: string[]) =>
  assessSubmission(
    times.map((time, place) => {
      const { Round, Result } = minimalCard();
      return minimalCard({
        ExternalID: `card-${time}`,
        Round: { ...Round, StartTime: `20250622T${time}00` },
        Result: { ...Result, Strokes: strokesOfRound(Result.Strokes, place) },
      });
    }),
    context(),
  );
const odd = findings([
  { good: false, index: 0, ...otherPlayer },
  ...rounds("1000", "1100"),
  ...rounds("0400", "0600", "0800", "1000", "1200", "1400", "1600"),
  ...Object.values(goodCards).flatMap(({ card, context: changes }) =>
    assessSubmission([card()], context(changes?.())),
  ),
  ...assessSubmission([fullCard(), fullCard({ ExternalID: "other" })], context()),
  // The union knows the players and their records, not the card's assessment.
  ...assessSubmission([fullCard()], context()).map((card) => {
    const found = playersWarningCodes.map((code) =>
      memberWarning(card.index, "", {
        code,
        ...(code === "handicap_differs" && { expected: "91000", received: "90000" }),
      }),
    );
    return { ...card, warnings: [...found, notRecorded("", found, undefined), recordedTwice("")] };
  }),
]);

/** A text tells its reader what to do: to send, to leave out, to correct or to ask something, or nothing. */
const remedy =
  /\b(must be|[Ss]end|[Gg]ive each|[Ll]eave|[Cc]ompare|[Aa]sk the union|(nothing|Nothing)( else| that was sent)? is to be corrected)\b/;

const all = [...spoilt, ...odd] as { code: string; detail: string }[];

test.each([...faultCodes, ...warningCodes])("every text of %s says what to do", (code) => {
  const texts = all.filter((finding) => finding.code === code);
  expect(texts.length).toBeGreaterThan(0);
  for (const { detail } of texts) expect(detail).toMatch(remedy);
});

test.each(["guid_invalid", "timestamp_invalid", "slope_invalid", "course_unknown", "start_in_future"])(
  "a text of %s has what the document says to do",
  (code) => {
    const [said = "", page = ""] = [
      all.find((finding) => finding.code === code)?.detail,
      described.find((one) => one.code === code)?.remedy,
    ];
    expect(said).toContain(page.split(/[;.]/)[0]);
  },
);

describe.each([
  { kind: "faults", codes: faultCodes, found: spoilt },
  { kind: "warnings", codes: warningCodes, found: odd },
])("docs/faults.md, $kind", ({ kind, codes, found }) => {
  const chapters = described.filter((one) => one.kind === kind);

  test("describes every code there is once, and no other", () => {
    expect(chapters.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
  });

  test("shows of each what a card is really answered", () => {
    for (const { code, example } of chapters) {
      expect(found).toContainEqual(expect.objectContaining({ code, ...example }));
    }
  });

  test("says of each in a line what it means, and in another what to do", () => {
    for (const { meaning, remedy } of chapters) {
      expect(meaning).toMatch(/\.$/);
      expect(remedy).toMatch(/\.$/);
    }
  });
});
