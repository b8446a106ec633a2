import type { Tournament, TournamentRefusal } from "@scorecard-pipeline/scorecards-client";
import { formatDay, formatShortTime } from "../../base/format.ts";
import { CardLink } from "../../components/card-link.tsx";
import { Panel } from "../../components/panel.tsx";
import { RefusalFault } from "../../components/refusal-fault.tsx";
import { words } from "../../texts/tournaments/texts.ts";

/** Refused cards with their faults. */
export function ToMend({ tournament: { refused } }: { readonly tournament: Tournament }) {
  if (refused.latest.length === 0) return null;
  return (
    <Panel id="to-mend" title={words.mend.title}>
      <p class="quiet">{words.mend.about}</p>
      <ul class="findings refused-cards">
        {refused.latest.map((card) => (
          <li key={`${card.requestId} ${card.index}`}>
            <RefusedEntry card={card} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function RefusedEntry({ card }: { readonly card: TournamentRefusal }) {
  const { externalId, round, day, at, isCorrection, errors } = card;
  return (
    <>
      <p>
        {externalId === undefined ? <span>{words.mend.noName}</span> : <CardLink externalId={externalId} />}{" "}
        <span class="quiet">
          {formatDay(day)}
          {round !== undefined && `, ${words.mend.round(String(round))}`},{" "}
          <time dateTime={at}>{formatShortTime(at)}</time>
        </span>
      </p>
      {isCorrection && <p class="quiet">{words.mend.correction}</p>}
      {errors.map((fault, place) => (
        <RefusalFault key={place} fault={fault} />
      ))}
    </>
  );
}
