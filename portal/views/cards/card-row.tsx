import type { CardStatus } from "@scorecard-pipeline/scorecards-client";
import { formatShortTime } from "../../base/format.ts";
import { toAddress } from "../../base/route.ts";
import { useNameOfCard } from "../../base/use-player-name.ts";
import { NameFirst } from "../../components/name-first.tsx";
import { errorText } from "../../components/notices.tsx";
import { StateChip } from "../../components/state-chip.tsx";
import { texts } from "../../texts/texts.ts";

/** A card in a list of them. */
export function CardRow({ card }: { readonly card: CardStatus }) {
  const { externalId, version, state, acceptedAt, attempts, lastError, warnings = [] } = card;
  const name = useNameOfCard(externalId, version);
  const notes = [
    ...(lastError === undefined ? [] : [errorText(lastError)]),
    ...(warnings.length > 0 ? [texts.cards.warnings(warnings.length)] : []),
    ...(attempts !== undefined && attempts > 1 ? [texts.cards.attempts(attempts)] : []),
  ];
  return (
    <a href={toAddress({ view: "card", externalId })}>
      <span class="row-name">
        <NameFirst name={name} externalId={externalId} />
      </span>
      <StateChip state={state} hasWarnings={warnings.length > 0} />
      <span class="row-time">{acceptedAt !== undefined && formatShortTime(acceptedAt)}</span>
      <span class={warnings.length > 0 || lastError !== undefined ? "row-note marked" : "row-note"}>
        {notes.join(" · ")}
      </span>
    </a>
  );
}
