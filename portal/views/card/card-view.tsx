import { CardState, type CardStatus, type StoredScorecard } from "@scorecard-pipeline/scorecards-client";
import { isRefusal } from "../../base/api.ts";
import { findLastList } from "../../base/last-list.ts";
import { useLive } from "../../base/live.ts";
import { useSession } from "../../base/session.ts";
import { useNameOfPlayer } from "../../base/use-player-name.ts";
import { NameFirst } from "../../components/name-first.tsx";
import { PausedNotice, ReadState, ViewTitle } from "../../components/notices.tsx";
import { StateChip } from "../../components/state-chip.tsx";
import { texts } from "../../texts/texts.ts";
import { CardActions } from "./card-actions.tsx";
import { CardContent } from "./card-content.tsx";
import { History } from "./card-history.tsx";
import { LastError, MissingCard, RecordNotice, RefusedCard, WarningsNotice } from "./card-notices.tsx";
import { listHistory } from "./history.ts";

/** The API's data about an ExternalID: the card was accepted, refused, or neither. */
interface FoundCard {
  readonly status?: CardStatus;
  readonly card?: StoredScorecard;
}

/** Reads a card with its state. */
async function findCard(
  { api }: ReturnType<typeof useSession>,
  externalId: string,
  signal: AbortSignal,
): Promise<FoundCard> {
  const [status, card] = await Promise.all([
    api.status(externalId, signal).catch((error: unknown) => {
      if (isRefusal(error, 404)) return undefined;
      throw error;
    }),
    api.card(externalId, signal).catch((error: unknown) => {
      if (isRefusal(error, 404) || isRefusal(error, 410)) return undefined;
      throw error;
    }),
  ]);
  return { ...(status !== undefined && { status }), ...(card !== undefined && { card }) };
}

/** A card as a golfer knows it, with its warnings and what happened to it. */
export function CardView({ externalId }: { readonly externalId: string }) {
  const session = useSession();
  const [live, refresh] = useLive(externalId, 3, (signal) => findCard(session, externalId, signal));
  const { status, card } = live.data ?? {};
  const name = useNameOfPlayer(card?.card.Player);
  const isAccepted = status !== undefined && status.state !== "refused";
  return (
    <>
      <p class="back">
        <a href={findLastList()}>{texts.card.back}</a>
      </p>
      <ViewTitle title={<NameFirst name={name} externalId={externalId} />} live={live} refresh={refresh}>
        {status !== undefined && (
          <StateChip state={status.state} hasWarnings={(status.warnings ?? []).length > 0} />
        )}
      </ViewTitle>
      <ReadState live={live} retry={refresh} />
      {live.data !== undefined && status === undefined && <MissingCard />}
      {status !== undefined && !isAccepted && <RefusedCard status={status} />}
      {isAccepted && (
        <>
          <p class="state-meaning">
            {texts.stateMeanings[status.state]}
            {status.arrival !== undefined && <> {texts.card.arrival[status.arrival]}</>}
          </p>
          <WarningsNotice status={status} />
          {status.lastError !== undefined &&
            status.paused === undefined &&
            status.state !== CardState.delivered && (
              <LastError error={status.lastError} isRejected={status.state === CardState.rejected} />
            )}
          {status.paused !== undefined && <PausedNotice paused={status.paused} />}
          {status.record !== undefined && <RecordNotice record={status.record} status={status} />}
          <CardActions status={status} card={card} refresh={refresh} />
          {card === undefined ? (
            <p class="notice">{texts.card.erased}</p>
          ) : (
            <CardContent card={card} status={status} />
          )}
          <History entries={listHistory(status, card?.posts ?? [])} status={status} />
        </>
      )}
    </>
  );
}
