import { expect, test } from "vitest";
import { laterCodes, type StoredCard } from "../../../core/cards/life/card.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { happened } from "../../../core/cards/life/happened.ts";
import { State } from "../../../core/cards/life/states.ts";
import { cardStatus } from "../../../core/cards/status.ts";
import { warningCount } from "../../../core/views/activity-counts.ts";
import { hourSteps } from "../../../core/views/hours.ts";
import { tournamentWork } from "../../../core/views/tournament.ts";
import { eventsOfChange, feedEntries } from "../../../core/webhooks/event.ts";
import { start, storedCard } from "../memory/stored-card.ts";

const before = storedCard("417", {
  state: State.delivered,
  content: contentOf({ ID: "id", Round: { TournamentName: "Midsummer Cup", StartTime: "20260601T080000" } }),
});

/** A delivered card about which this was found. */
function foundOn(code: (typeof laterCodes)[number] | "not_recorded"): StoredCard {
  if (code === "not_recorded") return { ...before, record: { at: start, isRecorded: false } };
  if (code === "recorded_twice") return { ...before, record: { at: start, isRecorded: true, isTwice: true } };
  if (code === "player_unknown") return { ...before, playerUnknown: true };
  return { ...before, laterWarnings: [{ code }] };
}

/** The names of what one change adds to. */
const namesIn = (steps: readonly { readonly counts: object }[]) =>
  steps.flatMap(({ counts }) => Object.keys(counts));

test.each([...laterCodes, "not_recorded"] as const)(
  "what is found later, %s, is in the card's status and in every view of it",
  (code) => {
    const card = foundOn(code);
    const update = { card, before, sequenceNumber: "1", events: happened(before, card) };

    const status = cardStatus("417", card, { version: 0 });
    expect(status.warnings?.map((warning) => warning.code)).toEqual([code]);

    const type = code === "not_recorded" ? "scorecard.not_recorded" : "scorecard.warned";
    const told = eventsOfChange(update, "shard").find((event) => event.type === type);
    expect(told?.data.cards?.map((one) => one.found)).toEqual([code === "not_recorded" ? undefined : [code]]);
    const entries = feedEntries({ updates: [update], breakers: [], shardId: "shard" }, start);
    expect(entries.map(({ event }) => event.type)).toContain(type);

    const counted = namesIn(hourSteps([update], (at) => at).flatMap(({ steps }) => steps));
    expect(counted).toContain(code === "not_recorded" ? "notRecorded" : warningCount(code));

    const ofTournament = namesIn(tournamentWork([update]).steps.flatMap(({ steps }) => steps));
    expect(ofTournament).toContain(warningCount(code));
  },
);

test("a card about which two things are found, one after the other, is counted once, and each of the two", () => {
  const first = foundOn("round_seen");
  const second: StoredCard = { ...first, record: { at: start, isRecorded: true, isTwice: true } };
  const updates = [
    { card: first, before, sequenceNumber: "1", events: happened(before, first) },
    { card: second, before: first, sequenceNumber: "2", events: happened(first, second) },
  ];
  const counts = hourSteps(updates, (at) => at).flatMap(({ steps }) => steps.map((step) => step.counts));
  expect(counts).toEqual([
    { warned: 1, [warningCount("round_seen")]: 1 },
    { [warningCount("recorded_twice")]: 1, recorded: 1 },
  ]);
});

test("a round that is taken off the first player's record is told as the player's record, without the warning", () => {
  const twice = foundOn("recorded_twice");
  const card: StoredCard = { ...before, record: { at: start, isRecorded: true } };
  const update = { card, before: twice, sequenceNumber: "1", events: happened(twice, card) };
  const [event] = eventsOfChange(update, "shard");
  expect(event?.type).toBe("scorecard.recorded");
  expect(event?.data.cards?.[0]).not.toHaveProperty("warnings");
});
