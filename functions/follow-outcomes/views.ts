import type { ApiSet } from "../../core/accounts/account.ts";
import { streamView } from "../../core/aws/stream-projector.ts";
import type { CardHappening } from "../../core/cards/life/happened.ts";
import { hourOf } from "../../core/formats/union-time.ts";
import { deliveredCards } from "../../core/records/deliveries.ts";
import type { ScheduleChecks } from "../../core/records/record-check-table.ts";
import type { ActivityWriter } from "../../core/views/activity-table.ts";
import { hourSteps, mergedHours } from "../../core/views/hours.ts";
import { listedCards } from "../../core/views/listed-cards.ts";
import { mergedTournaments, type TournamentWork } from "../../core/views/tournament.ts";
import type { TournamentWriter } from "../../core/views/tournament-table.ts";
import { feedEntries, type StreamBatch } from "../../core/webhooks/event.ts";
import { type Telling, tellVendor } from "../../core/webhooks/tell-vendor.ts";

/** The tables and the queue that hold the views. */
interface ViewDependencies extends Telling {
  /** IANA name of the union's time zone, in which hours and days begin. */
  readonly timeZone: string;
  readonly activity: ActivityWriter;
  readonly tournaments: TournamentWriter;
  /** The share of delivered cards that are looked for in the players' records, from 0 to 1. */
  readonly checkedShare: number;
  readonly scheduleChecks: ScheduleChecks;
}

/** What happened in a batch of the stream, with what two views have in common. */
interface ViewedBatch extends StreamBatch {
  /** The changes of cards in parts that are as long as a list may be. */
  readonly parts: readonly (readonly CardHappening[])[];
  /** Of each part. */
  readonly tournaments: readonly TournamentWork[];
}

const ofVendor = ({ apiSet }: { readonly apiSet: ApiSet }) => apiSet;

/** Makes the views of the cards. Late work is stored by their names, so a name stays. */
export const createViews = ({
  timeZone,
  activity,
  tournaments,
  checkedShare,
  scheduleChecks,
  ...telling
}: ViewDependencies) => ({
  list: streamView({
    itemsOf: ({ parts }: ViewedBatch) => parts.flatMap((part) => listedCards(part, timeZone)),
    apiSetOf: ofVendor,
    apply: (_, lists, shardId) => activity.list(lists, shardId),
  }),
  schedule: streamView({
    itemsOf: ({ parts }: ViewedBatch) => parts.flatMap((part) => deliveredCards(part, checkedShare)),
    apiSetOf: ofVendor,
    apply: (_, deliveries, shardId) => scheduleChecks(deliveries, shardId),
  }),
  count: streamView({
    itemsOf: ({ updates }: ViewedBatch) => hourSteps(updates, (instant) => hourOf(instant, timeZone)),
    apiSetOf: ofVendor,
    apply: (_, hours, shardId) => activity.count(mergedHours(hours), shardId),
  }),
  listTournaments: streamView({
    itemsOf: ({ tournaments }: ViewedBatch) => tournaments.flatMap(({ lists }) => lists),
    apiSetOf: ofVendor,
    apply: (_, lists, shardId) => tournaments.list(lists, shardId),
  }),
  countTournaments: streamView({
    itemsOf: ({ tournaments }: ViewedBatch) => tournaments.flatMap(({ steps }) => steps),
    apiSetOf: ofVendor,
    apply: (_, steps, shardId) => tournaments.count(mergedTournaments(steps), shardId),
  }),
  feed: streamView({
    itemsOf: (batch: ViewedBatch) => feedEntries(batch, Date.now()),
    apiSetOf: ({ event }) => event.data.apiSet,
    // A card's outcomes are in order in the feed.
    isInOrder: true,
    apply: (apiSet, entries, shardId) => tellVendor(telling, apiSet, shardId, entries, Date.now()),
  }),
});
