import { expect, test } from "vitest";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { type EventKind, outcomeKinds } from "../../../core/cards/life/happened.ts";
import { deliveredCards } from "../../../core/records/deliveries.ts";
import { hourSteps } from "../../../core/views/hours.ts";
import { type ListedCards, listedCards } from "../../../core/views/listed-cards.ts";
import { tournamentWork } from "../../../core/views/tournament.ts";
import { eventsOfChange, feedEntries } from "../../../core/webhooks/event.ts";
import { day, minute } from "../../durations.ts";
import { happeningsOf, lifeOf, type Step } from "../cards/life/random-life.ts";
import { start, storedCard } from "../memory/stored-card.ts";

const content = contentOf({
  ID: "id",
  Round: { TournamentName: "Midsummer Cup", StartTime: "20260601T080000" },
});

/** How a kind of event comes about, and what each view makes of it; what is left out is nothing. */
interface Seen {
  /** The last one brings the kind about. */
  readonly steps: readonly Step[];
  /** The fields of a card that the last step cannot bring about. */
  readonly becomes?: Partial<ReturnType<typeof storedCard>>;
  readonly list?: ListedCards["list"];
  /** The hours' counts that are raised or lowered, without those of waiting and of delivery times. */
  readonly counts?: readonly string[];
  readonly tournament?: readonly string[];
  /** Types in webhooks and in the feed. */
  readonly told?: readonly string[];
  readonly isToCheck?: true;
}

const delivered: Step = ["delivered", 2 * minute];
const begun: Step = ["withdrawalBegun", minute];

/** Views name only kinds of which they make something, so each is asked about all kinds: one that is missing here does not compile. */
const seen: Record<EventKind, Seen> = {
  accepted: { steps: [], list: "cards", counts: ["accepted"], tournament: ["waiting"] },
  corrected: { steps: [["corrected", day]], list: "versions", counts: ["corrected"] },
  resent: {
    steps: [
      ["rejected", minute],
      ["resent", day],
    ],
    list: "versions",
    counts: ["resent"],
    tournament: ["waiting", "rejected"],
  },
  withdrawalBegun: { steps: [begun] },
  withdrawalFailed: { steps: [begun, ["withdrawnTooLate", day + 1]], list: "versions" },
  failed: { steps: [["failed", minute]] },
  suspected: { steps: [["suspected", minute]], counts: ["suspected0"] },
  cleared: {
    steps: [
      ["suspected", minute],
      ["failed", minute],
    ],
    becomes: { suspicion: undefined },
    counts: ["suspected0"],
  },
  delivered: {
    steps: [delivered],
    counts: ["delivered", "onDayOfPlay"],
    tournament: ["waiting", "delivered"],
    told: ["scorecard.delivered"],
    isToCheck: true,
  },
  rejected: {
    steps: [["rejected", minute]],
    list: "rejected",
    counts: ["rejected"],
    tournament: ["waiting", "rejected"],
    told: ["scorecard.rejected"],
  },
  undelivered: {
    steps: [["undelivered", minute]],
    list: "undelivered",
    counts: ["undelivered"],
    tournament: ["waiting", "undelivered"],
    told: ["scorecard.undelivered"],
  },
  withdrawn: {
    steps: [begun, ["withdrawn", minute]],
    counts: ["withdrawn"],
    tournament: ["waiting", "withdrawn"],
    told: ["scorecard.withdrawn"],
  },
  maybeDelivered: {
    steps: [begun, ["withdrawn", minute], ["foundAfterWithdrawal", minute]],
    told: ["scorecard.withdrawn"],
  },
  warned: {
    steps: [delivered, ["warned", minute]],
    becomes: { playerUnknown: true, laterWarnings: undefined },
    list: "player_unknown",
    counts: ["warned", "playersUnknown", "warning player_unknown"],
    tournament: ["warned", "playersUnknown", "warning player_unknown"],
    told: ["scorecard.warned", "scorecard.player_unknown"],
  },
  recorded: {
    steps: [delivered, ["checked", 2]],
    counts: ["recorded"],
    tournament: ["recorded"],
    told: ["scorecard.recorded"],
  },
  notRecorded: {
    steps: [delivered, ["checked", 3]],
    list: "notRecorded",
    counts: ["notRecorded"],
    tournament: ["notRecorded", "warned", "warning not_recorded"],
    told: ["scorecard.not_recorded"],
  },
  rerated: { steps: [delivered, ["checked", 2], ["rerated", minute]], told: ["scorecard.recorded"] },
  erased: { steps: [delivered, ["erased", minute]], tournament: [] },
};

/** The names of what steps count, without the hours' counts of waiting, unfinished and delivery times. */
const namesIn = (steps: readonly { readonly counts: object }[]) =>
  steps
    .flatMap(({ counts }) => Object.keys(counts))
    .filter((name) => !/^(waiting|unfinished\d|within\d+)$/.test(name))
    .sort();

/** The change of a card that is of a tournament by which a kind of event came about. */
function changeOf({ steps, becomes = {} }: Seen) {
  const life = lifeOf("417", steps).map((card) => ({ ...card, content }));
  const last = { ...(life.at(-1) ?? storedCard("417")), ...becomes };
  const change = happeningsOf([...life.slice(0, -1), last]).at(-1);
  if (change === undefined) throw new Error("Nothing happened.");
  return change;
}

test.each(Object.entries(seen) as [EventKind, Seen][])(
  "every view shows what follows from the kind of event %s",
  (kind, expected) => {
    const change = changeOf(expected);
    expect(change.events.map((event) => event.kind)).toContain(kind);
    const ofTournament = tournamentWork([change]).steps.flatMap(({ steps }) => steps);
    const tournament = ofTournament
      .flatMap(({ counts }) => Object.keys(counts))
      .map((name) => name.replace(/^0 /, ""));
    const types = feedEntries({ updates: [change], breakers: [], shardId: "shard" }, start);
    expect({
      list: listedCards([change], "UTC").map(({ list }) => list),
      counts: namesIn(hourSteps([change], (at) => at).flatMap(({ steps }) => steps)),
      tournament: tournament.sort(),
      webhooks: eventsOfChange(change, "shard").map(({ type }) => type),
      feed: types.map(({ event }) => event.type),
      checked: deliveredCards([change], 1).length,
    }).toEqual({
      list: expected.list === undefined ? [] : [expected.list],
      counts: (expected.counts ?? []).toSorted(),
      tournament: (expected.tournament ?? []).toSorted(),
      webhooks: expected.told ?? [],
      feed: expected.told ?? [],
      checked: expected.isToCheck ? 1 : 0,
    });
  },
);

test.each(outcomeKinds)("a vendor is told of the outcome %s", (kind) => {
  expect(seen[kind].told).toContain(`scorecard.${kind}`);
});
