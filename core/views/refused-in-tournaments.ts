import type { LoggedFault, TournamentOfCard } from "../../api/activity.ts";
import type { ApiSet } from "../accounts/account.ts";
import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import { contentAcceptedAt } from "../cards/life/card.ts";
import { isExternalId } from "../formats/external-ids.ts";
import type { Finding } from "../golf/findings.ts";
import type { RefusalReader } from "./refusal-table.ts";

/** A card of a tournament that was refused, and has not been accepted since. */
export interface RefusedInTournament {
  readonly tournament: TournamentOfCard;
  /** Absent if the card had none that could be read. */
  readonly externalId?: string;
  /** When it was refused last; ISO 8601, UTC. */
  readonly at: string;
  /** `requestId` of the submission; `index` of the card in it. */
  readonly requestId: string;
  readonly index: number;
  /** Whether an earlier content of the card is accepted, and this was a correction of it. */
  readonly isCorrection: boolean;
  readonly faults: readonly Finding[];
}

/** What was refused of a vendor's tournaments. */
export interface RefusedInTournaments {
  /** The newest first. */
  readonly cards: readonly RefusedInTournament[];
  /** False if more was refused than is looked at. */
  readonly isComplete: boolean;
}

/** Refused cards that are looked up among the accepted ones, the newest. */
const maxCards = 1_000;

/**
 * The cards that vendors have still to mend: those whose last submission was refused, and that have not been accepted since.
 *
 * @param from the earliest refusal to look at, in milliseconds since 1970, UTC
 * @param isWanted chooses by the tournament that a card named last
 */
export async function refusedInTournaments(
  {
    refusals,
    table,
  }: {
    readonly refusals: Pick<RefusalReader, "ofTournaments">;
    readonly table: Pick<ScorecardTable, "read">;
  },
  apiSet: ApiSet,
  from: number,
  isWanted: (tournament: TournamentOfCard) => boolean,
): Promise<RefusedInTournaments> {
  const { faults, isComplete } = await refusals.ofTournaments(apiSet, from);
  const refused = lastRefusals(faults).filter(({ tournament }) => isWanted(tournament));
  const looked = refused.slice(0, maxCards);
  const keys = looked.flatMap(({ externalId }) =>
    externalId !== undefined && isExternalId(externalId) ? [{ apiSet, externalId }] : [],
  );
  const stored = await table.read(keys);
  const acceptedAt = new Map(stored.map((card) => [card.externalId, contentAcceptedAt(card)]));
  return {
    cards: looked.flatMap((card) => {
      const accepted = card.externalId === undefined ? undefined : acceptedAt.get(card.externalId);
      if (accepted !== undefined && accepted >= Date.parse(card.at)) return [];
      return [{ ...card, isCorrection: accepted !== undefined }];
    }),
    isComplete: isComplete && looked.length === refused.length,
  };
}

/** The last refusal of each card, the newest first. A card without ExternalID is another one each time. */
function lastRefusals(faults: readonly LoggedFault[]): Omit<RefusedInTournament, "isCorrection">[] {
  const cards = Map.groupBy(faults, ({ externalId, requestId, index }) =>
    externalId === undefined ? `${requestId} ${index}` : `of ${externalId}`,
  );
  return [...cards.values()]
    .flatMap((all) => {
      const newest = all.reduce((one, other) => (other.at > one.at ? other : one));
      const { tournament, externalId, at, requestId, index } = newest;
      if (tournament === undefined) return [];
      const own = all.filter((fault) => fault.requestId === requestId && fault.index === index);
      return [
        {
          tournament,
          ...(externalId !== undefined && { externalId }),
          at,
          requestId,
          index,
          faults: own.map(({ at: _at, requestId: _requestId, tournament: _tournament, ...fault }) => fault),
        },
      ];
    })
    .toSorted((one, other) => (one.at > other.at ? -1 : one.at < other.at ? 1 : one.index - other.index));
}
