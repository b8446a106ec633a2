import { setImmediate as nextTurn } from "node:timers/promises";
import type { ScoresForHandicap } from "@scorecard-pipeline/whs";
import { timestamp } from "../base/union-time.ts";
import type { Faults } from "../exchange/faults.ts";
import type { ReceivedCard } from "../exchange/record.ts";
import { externalIdOf } from "../exchange/record.ts";
import { inventRecord } from "../register/invented-record.ts";
import type { UnionMember } from "../register/records.ts";
import type { Register } from "../register/register.ts";
import { calculableRound, playerOf, type Vanished } from "./calculable-round.ts";
import { type PickedUp, type Player, recordOf, withRounds } from "./player.ts";
import { type RoundOnRecord, recordedRound } from "./recorded-round.ts";

/** Results of processing so far. */
export interface ProcessingCount {
  readonly processed: number;
  /** Cards from which no handicap was calculated, by reason. */
  readonly vanished: Readonly<Partial<Record<Vanished, number>>>;
}

/** The part of the union that processes received cards and calculates handicaps. */
export interface Processing {
  /** Processes the cards received since the last run, in order of play. */
  run(): Promise<ProcessingCount>;
  /** A member with the current handicap. */
  present(member: UnionMember): UnionMember;
  /** A member's record: processed cards, the latest round first. */
  recordOf(member: UnionMember): RoundOnRecord[];
  /** A member's processed rounds; undefined if there are none. */
  player(member: UnionMember): Player | undefined;
  readonly count: ProcessingCount;
}

/** The received cards, the register to check them against, and the cards that a fault leaves unprocessed. */
interface ProcessingDependencies {
  readonly received: readonly ReceivedCard[];
  readonly register: () => Register;
  readonly now: () => Date;
  readonly faults: Pick<Faults, "unprocessed" | "keepFirstPlayer">;
  /** Scores that a player's first Handicap Index takes. */
  readonly scoresForHandicap: ScoresForHandicap;
}

/** Cards that are processed before the event loop handles other work. */
const cardsAtATime = 500;

interface ShownHandicap {
  readonly Handicap: string;
  readonly HandicapStatus: number;
  readonly HandicapDato: string;
}

/** What one run changes in a member's record. */
interface MemberChange {
  readonly rounds: PickedUp[];
  /** Cards that are another member's now. */
  readonly removed: Set<string>;
}
type Picked = Map<UnionMember, MemberChange>;

function toMemberChange(picked: Picked, member: UnionMember): MemberChange {
  const change = picked.get(member) ?? { rounds: [], removed: new Set() };
  picked.set(member, change);
  return change;
}

/** In which member's record each card is. */
function createRecords(faults: Pick<Faults, "keepFirstPlayer">) {
  /** The cards of each member's record by their name, as they were received. */
  const cardsByPlayer = new Map<string, Map<string, unknown>>();
  /** The member in whose record each card is. */
  const memberByUnionId = new Map<string, UnionMember>();

  function keep(member: UnionMember, name: string, card: unknown, picked: Picked): void {
    const first = memberByUnionId.get(name);
    if (first !== undefined && first.ID !== member.ID && !faults.keepFirstPlayer) {
      cardsByPlayer.get(first.ID)?.delete(name);
      toMemberChange(picked, first).removed.add(name);
    }
    memberByUnionId.set(name, member);
    const cards = cardsByPlayer.get(member.ID) ?? new Map<string, unknown>();
    cardsByPlayer.set(member.ID, cards.set(name, card));
  }

  return { cardsByPlayer, keep };
}

/** The processing of a union that has processed no card yet. */
export function createProcessing({
  received,
  register,
  now,
  faults,
  scoresForHandicap,
}: ProcessingDependencies): Processing {
  const players = new Map<string, { readonly member: UnionMember; readonly player: Player }>();
  const shown = new Map<string, ShownHandicap>();
  const { cardsByPlayer, keep } = createRecords(faults);
  const vanished: Partial<Record<Vanished, number>> = {};
  let processed = 0;
  let running: Promise<unknown> = Promise.resolve();

  /** Reads some cards and adds their rounds to their players. */
  function readCards(cards: readonly ReceivedCard[], from: number, picked: Picked): void {
    const known = register();
    for (const [place, { apiSet, card }] of cards.entries()) {
      const externalId = externalIdOf(card);
      const isLost = externalId !== undefined && faults.unprocessed.includes(externalId);
      const round = isLost ? "unprocessed" : calculableRound(card, known);
      // A card without an ExternalID cannot be a correction.
      const name = JSON.stringify([apiSet, externalId ?? from + place]);
      const member = round === "not_qualifying" ? playerOf(card, known) : undefined;
      if (member !== undefined) keep(member, name, card, picked);
      if (typeof round === "string") {
        vanished[round] = (vanished[round] ?? 0) + 1;
        continue;
      }
      keep(round.member, name, card, picked);
      const { rounds, removed } = toMemberChange(picked, round.member);
      removed.delete(name);
      rounds.push({ card: name, round });
    }
  }

  function processMember(member: UnionMember, { rounds, removed }: MemberChange): void {
    const { player } = players.get(member.ID) ?? { player: { before: inventRecord(member), rounds: [] } };
    const next = withRounds(player, rounds, scoresForHandicap, removed);
    players.set(member.ID, { member, player: next });
    const { handicapIndex, status } = recordOf(next);
    if (handicapIndex === undefined) return;
    const Handicap = String(handicapIndex * 1_000);
    shown.set(member.ID, { Handicap, HandicapStatus: status, HandicapDato: timestamp(now()) });
  }

  async function pickUp(): Promise<void> {
    const upTo = received.length;
    const picked: Picked = new Map();
    while (processed < upTo) {
      const from = processed;
      processed = Math.min(upTo, from + cardsAtATime);
      readCards(received.slice(from, processed), from, picked);
      await nextTurn();
    }
    let worked = 0;
    for (const [member, change] of picked) {
      processMember(member, change);
      worked += change.rounds.length;
      if (worked < cardsAtATime) continue;
      worked = 0;
      await nextTurn();
    }
  }

  const count = () => ({ processed, vanished: { ...vanished } });
  return {
    run() {
      const run = running.then(pickUp).then(count);
      running = run;
      return run;
    },
    present(member) {
      const handicap = shown.get(member.ID);
      return handicap === undefined ? member : { ...member, ...handicap };
    },
    recordOf(member) {
      const differentials = new Map(
        players.get(member.ID)?.player.rounds.map(({ card, differential }) => [card, differential]),
      );
      return [...(cardsByPlayer.get(member.ID) ?? [])]
        .map(([name, card], place) => recordedRound(card, differentials.get(name), place % 2 === 1))
        .sort((one, other) => other.Round.StartTime.localeCompare(one.Round.StartTime));
    },
    player: (member) => players.get(member.ID)?.player,
    get count() {
      return count();
    },
  };
}
