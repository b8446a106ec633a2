import { setImmediate as nextTurn } from "node:timers/promises";
import type { ReceivedCard } from "../exchange/record.ts";
import { externalIdOf } from "../exchange/record.ts";
import { inventRecord } from "../register/invented-record.ts";
import type { Member } from "../register/records.ts";
import type { Register } from "../register/register.ts";
import { timestamp } from "../union-time.ts";
import { calculableRound, type Vanished } from "./calculable-round.ts";
import { type PickedUp, type Player, recordOf, withRounds } from "./player.ts";

/** What became of all cards so far. */
export interface ProcessingCount {
  /** Cards that were picked up. */
  readonly processed: number;
  /** Cards that no handicap was calculated from, by the reason that nobody is told. */
  readonly vanished: Readonly<Partial<Record<Vanished, number>>>;
}

/** A player whose rounds were processed, before the first and after the latest of them. */
export interface HandicapChange {
  readonly member: Member;
  readonly rounds: number;
  /** Handicap Index in tenths; undefined for a player who had none. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** The part of the union that picks up posted cards and works out handicaps. */
export interface Processing {
  /** Picks up and processes what has been received since, in order of play. */
  run(): Promise<ProcessingCount>;
  /** A member with the handicap that it has by now. */
  present(member: Member): Member;
  /** The rounds that were processed for a member; undefined where none was. */
  player(member: Member): Player | undefined;
  readonly count: ProcessingCount;
  changes(): HandicapChange[];
}

/** What processing needs. */
interface ProcessingDependencies {
  readonly received: readonly ReceivedCard[];
  readonly register: () => Register;
  readonly now: () => Date;
}

/** Cards that are processed before other work has its turn. */
const cardsAtATime = 500;

interface ShownHandicap {
  readonly Handicap: string;
  readonly HandicapStatus: number;
  readonly HandicapDato: string;
}

/** Makes the processing of a union that has processed nothing yet. */
export function createProcessing({ received, register, now }: ProcessingDependencies): Processing {
  const players = new Map<string, { readonly member: Member; readonly player: Player }>();
  const shown = new Map<string, ShownHandicap>();
  const vanished: Partial<Record<Vanished, number>> = {};
  let processed = 0;
  let running: Promise<unknown> = Promise.resolve();

  /** Reads some cards and adds the rounds on them to those of their players. */
  function readCards(cards: readonly ReceivedCard[], from: number, roundsOf: Map<Member, PickedUp[]>): void {
    const known = register();
    for (const [place, { apiSet, card }] of cards.entries()) {
      const round = calculableRound(card, known);
      if (typeof round === "string") {
        vanished[round] = (vanished[round] ?? 0) + 1;
        continue;
      }
      // A card without a name is nobody's correction.
      const name = JSON.stringify([apiSet, externalIdOf(card) ?? from + place]);
      const rounds = roundsOf.get(round.member);
      if (rounds === undefined) roundsOf.set(round.member, [{ card: name, round }]);
      else rounds.push({ card: name, round });
    }
  }

  function processMember(member: Member, rounds: readonly PickedUp[]): void {
    const { player } = players.get(member.ID) ?? { player: { before: inventRecord(member), rounds: [] } };
    const next = withRounds(player, rounds);
    players.set(member.ID, { member, player: next });
    const { handicapIndex, status } = recordOf(next);
    if (handicapIndex === undefined) return;
    const Handicap = String(handicapIndex * 1_000);
    shown.set(member.ID, { Handicap, HandicapStatus: status, HandicapDato: timestamp(now()) });
  }

  async function pickUp(): Promise<void> {
    const upTo = received.length;
    const roundsOf = new Map<Member, PickedUp[]>();
    while (processed < upTo) {
      const from = processed;
      processed = Math.min(upTo, from + cardsAtATime);
      readCards(received.slice(from, processed), from, roundsOf);
      await nextTurn();
    }
    let worked = 0;
    for (const [member, rounds] of roundsOf) {
      processMember(member, rounds);
      worked += rounds.length;
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
    player: (member) => players.get(member.ID)?.player,
    get count() {
      return count();
    },
    changes: () =>
      [...players.values()].map(({ member, player }) => ({
        member,
        rounds: player.rounds.length,
        before: player.before.handicapIndex,
        after: recordOf(player).handicapIndex,
      })),
  };
}
