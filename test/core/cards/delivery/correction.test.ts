import { expect, test } from "vitest";
import { compareAssessed, judgeCorrections } from "../../../../core/cards/delivery/correction.ts";
import { planCard } from "../../../../core/cards/delivery/plan.ts";
import { postTiming } from "../../../../core/cards/delivery/timing.ts";
import { erasedHash, type StoredCard } from "../../../../core/cards/life/card.ts";
import { contentOf } from "../../../../core/cards/life/card-content.ts";
import { cardStatus } from "../../../../core/cards/status.ts";
import { guidKey } from "../../../../core/formats/identifiers.ts";
import { assessSubmission } from "../../../../core/golf/assess.ts";
import { hour } from "../../../durations.ts";
import { context, fullCard, type Json, nineHoleCard, strokesOfRound } from "../../golf/sample-cards.ts";
import { redId } from "../../golf/sample-courses.ts";
import { green, key, start, storedCard } from "../../memory/stored-card.ts";

const assess = (spoil: (card: Json) => void = () => undefined) => {
  const card: Json = structuredClone(fullCard({ ExternalID: "417" }));
  spoil(card);
  const [assessment] = assessSubmission([card], context());
  if (assessment?.good !== true) throw new Error(JSON.stringify(assessment));
  return assessment;
};
const first = assess();
const storedAs = (given: Partial<StoredCard>) =>
  storedCard("417", { contentHash: first.contentHash, content: contentOf(first.card), ...given });
const acceptance = { now: start + hour, requestId: "request", timing: postTiming(10) };

/** What becomes of a card that is submitted over a stored one: its plan, what changed and what is warned of. */
function resultOf(stored: StoredCard, spoil: (card: Json) => void, allowsAnyCorrection = false) {
  const { index, externalId, contentHash, card, warnings } = assess(spoil);
  const content = contentOf(card, warnings);
  const plan = planCard(key("417"), { index, externalId, contentHash, content }, stored, {
    ...acceptance,
    allowsAnyCorrection,
  });
  if (plan.kind === "repeat") return ["repeat"];
  if (plan.kind === "refuse") return ["refuse", plan.fault.code];
  const known = new Set(warnings.map(({ code }) => code));
  const told = plan.change.set.content?.warnings().filter(({ code }) => !known.has(code)) ?? [];
  return [plan.change.set.corrects?.changed.join(" "), ...told.map(({ code }) => code)];
}

const before: Partial<StoredCard> = { state: "queued", atExchange: 0, maybeAtExchange: 0 };
const delivered: Partial<StoredCard> = { state: "delivered", atExchange: 1 };
const unknown: Partial<StoredCard> = { state: "retrying", atExchange: 0, maybeAtExchange: 1 };
const undelivered: Partial<StoredCard> = { state: "undelivered", atExchange: 0, maybeAtExchange: 0 };
const withdrawn: Partial<StoredCard> = { state: "withdrawn", atExchange: 0, maybeAtExchange: 0 };
const missed: Partial<StoredCard> = { state: "withdrawn", atExchange: 1, maybeAtExchange: 0 };

const player = (card: Json) => void Object.assign(card.Player, { UnionID: "6-2", LifeTimeID: "010101-002" });
const spelling = (card: Json) =>
  void Object.assign(card.Player, { UnionID: card.Player.UnionID.replace("-", "-0") });
const otherClub = (card: Json) => void Object.assign(card.Player, { UnionID: "99-1" });
const day = (card: Json) => void Object.assign(card.Round, { StartTime: "20250621T145700" });
const minute = (card: Json) =>
  void Object.assign(card.Round, { StartTime: card.Round.StartTime.replace(/..$/, "59") });
const strokes = (card: Json) => {
  card.Result.Strokes[0] += 1;
  for (const name of ["Points", "TotalPoints", "TotalStrokes", "NetDoubleBogeyGross"])
    delete card.Result[name];
};
const nextRound = (card: Json) => {
  card.Result = { Strokes: strokesOfRound(card.Result.Strokes, 2), IsQualifying: true };
};
const reused = ["refuse", "external_id_reused"];
const course = (card: Json) => {
  const { CourseHandicap, Course, Result } = nineHoleCard();
  Object.assign(card, { CourseHandicap, Course, Result, Round: { ...card.Round, HolesPlayed: 9 } });
  delete card.PHCP;
};
const handicap = (card: Json) => {
  card.CourseHandicap += 1;
  for (const name of ["Points", "TotalPoints", "NetDoubleBogeyGross", "SPH"]) delete card.Result[name];
  for (const hole of card.Course.Holes ?? []) delete hole.SPH;
};
const comment = (card: Json) => void Object.assign(card, { Comment: "with a gimme" });
const marker = (card: Json) => void Object.assign(card, { Marker: { FullName: "Somebody Else" } });
const madeAgain = (card: Json) => void Object.assign(card, { CreateDateTime: "20250622T235900" });
const all =
  (...changes: readonly ((card: Json) => void)[]) =>
  (card: Json) => {
    for (const change of changes) change(card);
  };

test.each<[string, Partial<StoredCard>, (card: Json) => void, string[]]>([
  ["the same content", delivered, () => undefined, ["repeat"]],
  ["a total that is left out", delivered, (card) => void delete card.Result.TotalPoints, [""]],
  ["a stroke before delivery", before, strokes, ["strokes"]],
  ["a stroke after delivery", delivered, strokes, ["strokes"]],
  ["a stroke of an undelivered card", undelivered, strokes, ["strokes"]],
  ["a stroke of a withdrawn card", withdrawn, strokes, ["strokes"]],
  ["a stroke on a card that is made again", delivered, all(strokes, madeAgain), ["strokes"]],
  ["the handicap", delivered, handicap, ["handicap"]],
  ["handicap and strokes", delivered, all(handicap, strokes), ["strokes handicap"]],
  ["the day", delivered, day, ["day"]],
  ["the day and a stroke", delivered, all(day, strokes), ["day strokes"]],
  ["the day and the strokes, as the player's next round does", delivered, all(day, nextRound), reused],
  ["the day and the strokes before delivery", before, all(day, nextRound), ["day strokes"]],
  ["the course", delivered, course, reused],
  ["the minute", delivered, minute, ["other"]],
  ["the comment", delivered, comment, ["other"]],
  ["the marker", delivered, marker, ["other"]],
  ["the time of its making only", delivered, madeAgain, ["other"]],
  ["the player's number with another count of zeros", delivered, spelling, ["other"]],
  [
    "the player's other club, with the same LifeTimeID, and the day",
    delivered,
    all(otherClub, day),
    ["day other"],
  ],
  ["the player before delivery", before, player, ["player", "player_changed"]],
  ["the player after delivery", delivered, player, ["player", "player_changed"]],
  [
    "the player and the strokes after delivery",
    delivered,
    all(player, strokes),
    ["player strokes", "player_changed"],
  ],
  ["player and day before delivery", before, all(player, day), ["player day", "player_changed"]],
  ["player and day after delivery", delivered, all(player, day), ["refuse", "external_id_reused"]],
  [
    "player, day and strokes after delivery",
    delivered,
    all(player, day, strokes),
    ["refuse", "external_id_reused"],
  ],
  [
    "player and day if the exchange may have the card",
    unknown,
    all(player, day),
    ["refuse", "external_id_reused"],
  ],
  ["player and day of an undelivered card", undelivered, all(player, day), ["player day", "player_changed"]],
  ["player and day of a withdrawn card", withdrawn, all(player, day), ["player day", "player_changed"]],
  [
    "player and day of a withdrawn card that the exchange has",
    missed,
    all(player, day),
    ["refuse", "external_id_reused"],
  ],
  [
    "player and day after an erasure",
    { ...delivered, contentHash: erasedHash, content: contentOf({ ID: "x" }) },
    all(player, day),
    ["other"],
  ],
])("a correction that changes %s is told of what it changes", (_, stored, spoil, expected) => {
  expect(resultOf(storedAs(stored), spoil)).toEqual(expected);
});

test.each<[string, Partial<StoredCard>, boolean]>([
  ["queued", before, false],
  ["retrying, and hardly at the exchange", { ...before, state: "retrying" }, false],
  ["retrying, and perhaps at the exchange", unknown, true],
  ["delivered", delivered, true],
  ["rejected", { ...before, state: "rejected" }, false],
  ["undelivered", undelivered, false],
  ["undelivered, and perhaps at the exchange", { ...undelivered, maybeAtExchange: 1 }, true],
  ["withdrawn", withdrawn, false],
  ["withdrawn, and at the exchange", missed, true],
])(
  "the first player's record is read if the card was %s when its player was corrected",
  (_, given, isRead) => {
    const { index, externalId, contentHash, card } = assess(player);
    const content = contentOf(card);
    const submitted = { index, externalId, contentHash, content };
    const plan = planCard(key("417"), submitted, storedAs(given), acceptance);
    if (plan.kind !== "change") throw new Error(plan.kind);
    const { UnionID } = first.card.Player;
    expect(plan.change.set.formerRound?.unionId).toBe(isRead ? UnionID : undefined);
    // A correction of the strokes afterwards leaves it to be read.
    const later = assess(all(player, strokes));
    const next = planCard(
      key("417"),
      { ...later, content: contentOf(later.card) },
      storedCard("417", { ...given, ...plan.change.set, version: 2 }),
      acceptance,
    );
    expect(next.kind === "change" && "formerRound" in next.change.set).toBe(false);
  },
);

test("another tee of the same course is the tee, and another course abroad with another player is refused", () => {
  const { Course, ...card } = structuredClone(first.card) as Json;
  const redTee = { ...card, Course: { ...Course, TeeID: redId } };
  const change = planCard(
    key("417"),
    { index: 0, externalId: "417", contentHash: "red", content: contentOf(redTee) },
    storedAs(delivered),
    acceptance,
  );
  expect(change).toMatchObject({ change: { set: { corrects: { version: 1, changed: ["tee"] } } } });
  const { CourseID: _, TeeID: __, ...abroad } = Course;
  const elsewhere = { ...card, Player: { UnionID: "6-2" }, Course: { ...abroad, Name: "Elsewhere" } };
  const refused = planCard(
    key("417"),
    { index: 0, externalId: "417", contentHash: "abroad", content: contentOf(elsewhere) },
    storedAs(delivered),
    acceptance,
  );
  expect(refused).toMatchObject({ kind: "refuse", fault: { code: "external_id_reused" } });
});

test("two cards of a submission that change the player of delivered ones are refused, one is taken; of another club's none is", () => {
  const card = { ...fullCard(), Player: { UnionID: "6-2" } };
  const compared = (externalId: string, index: number) => ({
    index,
    externalId,
    contentHash: "other",
    content: contentOf(card),
  });
  const stored = new Map(["a", "b"].map((name) => [name, storedAs(delivered)]));
  const codes = (...names: string[]) =>
    [...judgeCorrections(names.map(compared), stored, false).values()].map(
      ({ fault, warning }) => (fault ?? warning)?.code,
    );
  expect(codes("a", "c")).toEqual(["player_changed", undefined]);
  expect(codes("a", "b")).toEqual(["external_id_reused", "external_id_reused"]);
  const meant = judgeCorrections(["a", "b"].map(compared), stored, true);
  expect([...meant.values()].map(({ fault }) => fault)).toEqual([undefined, undefined]);
  const club = { id: guidKey(redId), number: 1016 };
  const [bound] = judgeCorrections([compared("a", 0)], stored, true, club).values();
  expect(bound?.fault?.code).toBe("other_club");
});

test("another card under a used name is taken if the submission says that it is meant, and warned of", () => {
  expect(resultOf(storedAs(delivered), all(player, day), true)).toEqual(["player day", "player_changed"]);
});

test("Validate says the same as a submission, and the state keeps what was changed", async () => {
  const table = { read: async () => [storedAs(delivered)] };
  const validated = (spoil: (card: Json) => void, isAny = false) =>
    compareAssessed(table, green, [assess(spoil)], isAny).then(([one]) => one);
  expect(await validated(() => undefined)).not.toHaveProperty("corrects");
  expect(await validated(strokes)).toMatchObject({
    good: true,
    corrects: { version: 1, changed: ["strokes"] },
  });
  expect(await validated(all(player, day))).toMatchObject({
    good: false,
    faults: [{ code: "external_id_reused", pointer: "/ExternalID" }],
  });
  expect((await validated(all(player, day), true))?.warnings.map(({ code }) => code)).toContain(
    "player_changed",
  );
  const corrects = { version: 1, changed: ["strokes"] } as const;
  expect(
    cardStatus("417", storedAs({ version: 2, corrects }), { version: 0, open: undefined }),
  ).toMatchObject({ corrects });
});
