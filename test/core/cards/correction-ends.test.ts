import type { StandIn } from "@scorecard-pipeline/stand-in";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CardAnswer } from "../../../core/cards/submit.ts";
import type { RefusalError } from "../../../core/golf/refusal.ts";
import { eventsOfCards } from "../../../core/webhooks/event.ts";
import { post, startUnion } from "../../packages/stand-in/start-union.ts";
import { cardAbroad, type Json } from "../golf/sample-cards.ts";
import { green } from "../memory/stored-card.ts";
import { echo, hour, minute, timedOut, unconnected } from "./delivery-world.ts";
import { drivenDelivery } from "./driven-delivery.ts";
import { happeningsOf } from "./life/random-life.ts";

/** What the union does with the first player's round: it takes it off, or keeps it. */
let unions: readonly StandIn[];
let unionIds: readonly string[];
beforeAll(async () => {
  unions = await Promise.all([
    startUnion({ processingInterval: 2 ** 30 }),
    startUnion({ processingInterval: 2 ** 30 }),
  ]);
  if (unions[1]) unions[1].faults.keepFirstPlayer = true;
  unionIds = (unions[0]?.members ?? [])
    .flatMap(({ Memberships }) => Memberships[0]?.UnionID ?? [])
    .slice(0, 3);
});
afterAll(() => Promise.all(unions.map((union) => union.stop())));

const names = ["first", "second", "third"];

const original = (name: string): Json => {
  const card = cardAbroad({ ExternalID: name, Player: { UnionID: unionIds[0] } });
  for (const name of ["Points", "TotalPoints", "TotalStrokes", "NetDoubleBogeyGross"])
    delete card.Result[name];
  for (const hole of card.Course.Holes) delete hole.SPH;
  delete card.ID;
  return card;
};

const changes = {
  strokes: ({ Result }: Json) => void Result.Strokes.splice(0, 1, Result.Strokes[0] + 1),
  day: (card: Json) => void Object.assign(card.Round, { StartTime: "20250621T145700" }),
  course: (card: Json) => void Object.assign(card.Course, { Name: "Elsewhere" }),
  player: (card: Json) => void Object.assign(card.Player, { UnionID: unionIds[1] }),
  third: (card: Json) => void Object.assign(card.Player, { UnionID: unionIds[2] }),
};

/** What happens to the card before it is corrected. */
type Before = keyof typeof passed;
const passed = {
  waiting: 0,
  delivered: 10 * minute,
  // The exchange does not answer, but has the card.
  retrying: minute,
  undelivered: 50 * hour,
  withdrawn: 0,
};

const roundsOf = (union: StandIn, player: string, name: string) =>
  union.playerRecord(player).filter(({ card }) => JSON.parse(card)[1] === name).length;

/** The answer to a submission of one card, in short. */
const answerTo = (submitted: Promise<readonly CardAnswer[]>) =>
  submitted.then(
    ([one]) => {
      if (one?.valid !== true) throw new Error(JSON.stringify(one));
      const isTold = one.content.warnings().some(({ code }) => code === "player_changed");
      return `${one.corrects?.changed.join(" ")}${isTold ? ", player_changed" : ""}`;
    },
    ({ refusal }: RefusalError) =>
      refusal.kind === "invalidCards" && refusal.faults.map(({ code }) => code).join(),
  );

/**
 * A card of the first player, corrected, and all that comes of it at the vendor and at the union.
 *
 * @param corrections parts that change, of one or several corrections, the latter after `then`
 */
async function endOf(before: Before, corrections: string) {
  const name = `${before} ${corrections}`;
  let mode: "works" | "isDown" | "isSilent" = "isDown";
  if (before === "delivered") mode = "works";
  if (before === "retrying") mode = "isSilent";
  const { submission, withdraw, pass, cards } = drivenDelivery(async (ids, _, posted) => {
    if (mode === "isDown") return unconnected;
    // A silent exchange takes the cards all the same.
    const body = `[${posted.map(({ card }) => card).join()}]`;
    for (const union of unions) await post(union, body);
    return mode === "isSilent" ? timedOut : echo(ids);
  });
  const process = () => Promise.all(unions.map((union) => union.process()));
  const submit = (card: Json, isAny = false) => submission(green, [card], "strict", "request", isAny);

  await submit(original(name));
  if (before === "withdrawn") await withdraw(name);
  await pass(passed[before]);
  await process();

  mode = "works";
  let answer: unknown;
  for (const correction of corrections.split(" then ")) {
    const card = original(name);
    const parts = correction.split(" ");
    for (const part of parts) if (part in changes) changes[part as keyof typeof changes](card);
    answer = await answerTo(submit(card, parts.includes("meant")));
  }
  await pass(hour);
  await process();
  const card = cards.of(name);
  const events = happeningsOf(cards.history).flatMap((one) => eventsOfCards(green, [one], "shard"));
  const told = events.map(({ type, data }) => {
    const { changed = [] } = data.cards?.[0]?.corrects ?? {};
    return [type.replace("scorecard.", ""), ...changed].join(" ");
  });
  return {
    answer,
    state: card?.state,
    webhook: told.join(", "),
    records: unions.map((union) => unionIds.map((player) => roundsOf(union, player, name)).join(" ")),
    asked: names[unionIds.indexOf(card?.formerRound?.unionId ?? "")] ?? "none",
  };
}

/**
 * What the card's state is before, the correction, its answer, the vendor's events, the rounds in the three players' records at a union
 * that takes the first one off and at one that keeps it, and the player whose record the record check reads besides.
 */
const table = `
  waiting     | strokes           | strokes                       | delivered strokes                    | 1 0 0 | 1 0 0 | none
  waiting     | player            | player, player_changed        | delivered player                     | 0 1 0 | 0 1 0 | none
  waiting     | player day        | player day, player_changed    | delivered player day                 | 0 1 0 | 0 1 0 | none
  waiting     | player course     | player course, player_changed | delivered player course              | 0 1 0 | 0 1 0 | none
  waiting     | player day meant  | player day, player_changed    | delivered player day                 | 0 1 0 | 0 1 0 | none
  delivered   | strokes           | strokes                       | delivered, delivered strokes         | 1 0 0 | 1 0 0 | none
  delivered   | player            | player, player_changed        | delivered, delivered player          | 0 1 0 | 1 1 0 | first
  delivered   | player day        | external_id_reused            | delivered                            | 1 0 0 | 1 0 0 | none
  delivered   | player course     | external_id_reused            | delivered                            | 1 0 0 | 1 0 0 | none
  delivered   | player day meant  | player day, player_changed    | delivered, delivered player day      | 0 1 0 | 1 1 0 | first
  delivered   | player then third | player, player_changed        | delivered, delivered player          | 0 0 1 | 1 0 1 | first
  delivered   | player then none  | player, player_changed        | delivered, delivered player          | 1 0 0 | 1 0 0 | none
  retrying    | strokes           | strokes                       | delivered strokes                    | 1 0 0 | 1 0 0 | none
  retrying    | player            | player, player_changed        | delivered player                     | 0 1 0 | 1 1 0 | first
  retrying    | player day        | external_id_reused            | delivered                            | 1 0 0 | 1 0 0 | none
  retrying    | player course     | external_id_reused            | delivered                            | 1 0 0 | 1 0 0 | none
  retrying    | player day meant  | player day, player_changed    | delivered player day                 | 0 1 0 | 1 1 0 | first
  retrying    | player then third | player, player_changed        | delivered player                     | 0 0 1 | 1 0 1 | first
  retrying    | player then none  | player, player_changed        | delivered player                     | 1 0 0 | 1 0 0 | none
  undelivered | strokes           | strokes                       | undelivered, delivered strokes       | 1 0 0 | 1 0 0 | none
  undelivered | player            | player, player_changed        | undelivered, delivered player        | 0 1 0 | 0 1 0 | none
  undelivered | player day        | player day, player_changed    | undelivered, delivered player day    | 0 1 0 | 0 1 0 | none
  undelivered | player course     | player course, player_changed | undelivered, delivered player course | 0 1 0 | 0 1 0 | none
  undelivered | player day meant  | player day, player_changed    | undelivered, delivered player day    | 0 1 0 | 0 1 0 | none
  withdrawn   | strokes           | strokes                       | withdrawn, delivered strokes         | 1 0 0 | 1 0 0 | none
  withdrawn   | player            | player, player_changed        | withdrawn, delivered player          | 0 1 0 | 0 1 0 | none
  withdrawn   | player day        | player day, player_changed    | withdrawn, delivered player day      | 0 1 0 | 0 1 0 | none
  withdrawn   | player course     | player course, player_changed | withdrawn, delivered player course   | 0 1 0 | 0 1 0 | none
  withdrawn   | player day meant  | player day, player_changed    | withdrawn, delivered player day      | 0 1 0 | 0 1 0 | none
`;
const rows = table
  .trim()
  .split("\n")
  .map((row) => row.split("|").map((cell) => cell.trim()));

test.each(rows)(
  "of a card that is %s, a correction of %s is told, and is in the records of those who played",
  async (before, correction = "", answer, webhook, ...records) => {
    const asked = records.pop();
    expect(await endOf(before as Before, correction)).toEqual({
      answer,
      state: "delivered",
      webhook,
      records,
      asked,
    });
  },
);
