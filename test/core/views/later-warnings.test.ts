import { expect, test } from "vitest";
import type { StoredCard } from "../../../core/cards/card.ts";
import { contentOf } from "../../../core/cards/card-content.ts";
import { happened } from "../../../core/cards/life/happened.ts";
import { State } from "../../../core/cards/life/states.ts";
import { cardStatus } from "../../../core/cards/status.ts";
import { laterCodes } from "../../../core/golf/later-warnings.ts";
import { warningCount } from "../../../core/views/activity-counts.ts";
import { hourSteps } from "../../../core/views/hours.ts";
import { outcomeEvents } from "../../../core/views/outcome-event.ts";
import { tournamentWork } from "../../../core/views/tournament.ts";
import { eventsOfCards } from "../../../core/webhooks/event.ts";
import { feedEntries } from "../../../core/webhooks/feed-entries.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";

const before = storedCard("417", {
  state: State.delivered,
  content: contentOf({ ID: "id", Round: { TournamentName: "Midsummer Cup", StartTime: "20260601T080000" } }),
});

/** A delivered card about which this was found. */
function foundOn(code: (typeof laterCodes)[number] | "not_recorded"): StoredCard {
  if (code === "not_recorded") return { ...before, record: { at: start, isRecorded: false } };
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
    const found = code === "not_recorded" ? undefined : [code];
    const told = eventsOfCards(green, [update], "shard").find((event) => event.type === type);
    expect(told?.data.cards?.map((one) => one.found)).toEqual([found]);
    const entries = feedEntries({ updates: [update], breakers: [], shardId: "shard" }, start);
    expect(entries.map(({ event }) => event.type)).toContain(type);

    expect(outcomeEvents(update)).toMatchObject([{ outcome: "delivered", warning: code }]);

    const counted = namesIn(hourSteps([update], (at) => at).flatMap(({ steps }) => steps));
    expect(counted).toContain(code === "not_recorded" ? "notRecorded" : warningCount(code));

    const ofTournament = namesIn(tournamentWork([update]).steps.flatMap(({ steps }) => steps));
    expect(ofTournament).toContain(warningCount(code));
  },
);
