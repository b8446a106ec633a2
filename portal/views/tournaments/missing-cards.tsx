import type { ExpectedRound, Tournament } from "@scorecard-pipeline/scorecards-client";
import { formatCount, formatDay, formatTime } from "../../base/format.ts";
import { CardLink } from "../../components/card-link.tsx";
import { Panel } from "../../components/panel.tsx";
import { words } from "../../texts/tournaments/texts.ts";

/** Players of start lists whose cards are missing, by round. */
export function MissingCards({ tournament: { startLists = [] } }: { readonly tournament: Tournament }) {
  if (startLists.length === 0) return null;
  const names = words.startList;
  return (
    <Panel id="missing-cards" title={names.title}>
      {startLists.map((list) => (
        <div key={list.from}>
          <p class="quiet">
            {names.about(
              list.from === list.to
                ? formatDay(list.from)
                : `${formatDay(list.from)} – ${formatDay(list.to)}`,
              formatTime(list.expiresAt),
            )}
          </p>
          {!list.isComplete && <p class="notice warning">{names.mayBeFewer}</p>}
          {list.rounds.map((round) => (
            <MissingInRound key={round.round} round={round} />
          ))}
        </div>
      ))}
    </Panel>
  );
}

function MissingInRound({ round }: { readonly round: ExpectedRound }) {
  const names = words.startList;
  const { players, missing, missingPlayers, unlisted, unlistedCards } = round;
  return (
    <>
      <h3>{round.round === 0 ? names.noRound : names.round(String(round.round))}</h3>
      <p>
        {missing === 0
          ? names.none(formatCount(players))
          : names.missing(formatCount(missing), formatCount(players))}
      </p>
      {missing > 0 && (
        <ul class="missing">
          {missingPlayers.map(({ index, label, reason }) => (
            <li key={index}>
              {label ?? names.player(formatCount(index + 1))}
              {names.reasons[reason] !== undefined && <span class="quiet"> {names.reasons[reason]}</span>}
            </li>
          ))}
          {missing > missingPlayers.length && (
            <li>{names.more(formatCount(missing - missingPlayers.length))}</li>
          )}
        </ul>
      )}
      {unlisted > 0 && (
        <>
          <p class="quiet">{names.unlisted(formatCount(unlisted))}</p>
          <ul class="missing">
            {unlistedCards.map((externalId) => (
              <li key={externalId}>
                <CardLink externalId={externalId} />
              </li>
            ))}
            {unlisted > unlistedCards.length && (
              <li>{names.more(formatCount(unlisted - unlistedCards.length))}</li>
            )}
          </ul>
        </>
      )}
    </>
  );
}
