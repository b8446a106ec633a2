import { isUnfinished } from "../cards/delivery/posts.ts";
import { isSuspected, type StoredCard } from "../cards/life/card.ts";
import {
  type CardEvent,
  type CardHappening,
  type OutcomeKind,
  type ViewByKind,
  viewOf,
} from "../cards/life/happened.ts";
import { isFinal } from "../cards/life/states.ts";
import {
  added,
  type Counts,
  deliveryTimeOf,
  type HourSteps,
  subtracted,
  suspectedIn,
  unfinishedIn,
  warningCount,
} from "./activity-counts.ts";

/** Numbers to add to the counts of the hour that an instant is in; milliseconds since 1970, UTC. */
type Addition = readonly [at: number, counts: Counts];

/** An outcome is counted when it is recorded; the one that it replaces is taken back in the hour that counted it. */
const outcome = ({ kind, at, replaces }: CardEvent<OutcomeKind>, more: Counts = {}): Addition[] => [
  [at, { [kind]: 1, ...more }],
  ...(replaces === undefined ? [] : [[replaces.at, { [replaces.state]: -1 }] as const]),
];

/** The counts of each kind of event. */
const counted: ViewByKind<Addition, StoredCard> = {
  accepted: ({ at }) => [[at, { accepted: 1 }]],
  corrected: ({ at }) => [[at, { corrected: 1 }]],
  resent: ({ at }) => [[at, { resent: 1 }]],
  delivered: (event, { acceptedAt, arrival }) =>
    outcome(event, {
      [deliveryTimeOf(event.at - acceptedAt)]: 1,
      ...(arrival !== undefined && { [arrival]: 1 }),
    }),
  rejected: (event) => outcome(event),
  undelivered: (event) => outcome(event),
  withdrawn: (event) => outcome(event),
  warned: ({ at, codes, isFirst }) => [
    [
      at,
      { ...(isFirst && { warned: 1 }), ...Object.fromEntries(codes.map((code) => [warningCount(code), 1])) },
    ],
    ...(codes.includes("player_unknown") ? [[at, { playersUnknown: 1 }] as const] : []),
  ],
  recorded: ({ at, before }) => [
    [at, { recorded: 1 }],
    ...(before === undefined ? [] : [[before, { notRecorded: -1 }] as const]),
  ],
  notRecorded: ({ at, before }) => [
    [at, { notRecorded: 1 }],
    ...(before === undefined ? [] : [[before, { recorded: -1 }] as const]),
  ],
};

/** The numbers that an event adds to the counts of its hour, and takes back from that of an earlier one. */
export const countsOfEvent = (event: CardEvent, card: StoredCard): readonly Addition[] =>
  viewOf(counted, event, card);

/** The counts of the hour of its acceptance that a card is in while it waits, or a wake-up of it must be under way. */
const waitingCounts = (card: StoredCard): Addition => {
  const { state, acceptedAt } = card;
  return [
    acceptedAt,
    {
      ...(!isFinal(state) && { waiting: 1 }),
      ...(isUnfinished(card) && { [unfinishedIn(acceptedAt)]: 1 }),
      ...(isSuspected(card) && { [suspectedIn(acceptedAt)]: 1 }),
    },
  ];
};

/**
 * The numbers that one change of a card adds. The counts of all changes up to one state of the table are those of its cards and their
 * earlier outcomes.
 */
function listAdditions({ card, before, events }: CardHappening): Addition[] {
  const additions = events.flatMap((event) => countsOfEvent(event, card));
  if (before !== undefined) {
    const [at, counts] = waitingCounts(before);
    additions.push([at, subtracted({}, counts)]);
  }
  return [...additions, waitingCounts(card)];
}

/**
 * The steps of a batch of changes, by vendor and hour.
 *
 * @param hourOf the beginning of the hour that an instant is in
 */
export function hourSteps(
  updates: readonly CardHappening[],
  hourOf: (instant: number) => number,
): HourSteps[] {
  const hours = new Map<string, HourSteps & { readonly steps: HourSteps["steps"][number][] }>();
  for (const update of updates) {
    const { sequenceNumber, card } = update;
    const { apiSet } = card;
    const sums = new Map<number, Counts>();
    for (const [at, counts] of listAdditions(update)) {
      const hour = hourOf(at);
      sums.set(hour, added(sums.get(hour) ?? {}, counts));
    }
    for (const [hour, sum] of sums) {
      const counts = Object.fromEntries(Object.entries(sum).filter(([, count]) => count !== 0));
      if (Object.keys(counts).length === 0) continue;
      const key = `${hour} ${apiSet}`;
      const known = hours.get(key) ?? { apiSet, hour, steps: [] };
      known.steps.push({ sequenceNumber, counts });
      hours.set(key, known);
    }
  }
  return [...hours.values()];
}

/** Steps of one hour from several batches, in the order of the stream: an hour is counted by one write after another. */
export const mergedHours = (hours: readonly HourSteps[]): HourSteps[] =>
  [...Map.groupBy(hours, ({ hour }) => hour).values()].flatMap((all) => {
    const [first] = all;
    return first === undefined ? [] : [{ ...first, steps: all.flatMap(({ steps }) => steps) }];
  });
