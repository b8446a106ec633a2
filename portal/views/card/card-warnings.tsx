import type { StoredScorecard } from "@scorecard-pipeline/scorecards-client";
import { MarkedText } from "../../components/marked-text.tsx";
import { Panel } from "../../components/panel.tsx";
import { Values } from "../../components/values.tsx";
import { meaningOf } from "../../texts/fault-meanings.ts";
import { texts } from "../../texts/texts.ts";
import type { PlacedFinding } from "./finding-places.ts";

/** Each warning with what to do, under the number that stands beside its place. */
export function Warnings({
  warnings,
  card,
}: {
  readonly warnings: readonly PlacedFinding[];
  readonly card: StoredScorecard;
}) {
  if (warnings.length === 0) return null;
  const formatPlace = ({ place, finding }: PlacedFinding) => {
    if (place.kind === "hole")
      return texts.card.hole(card.derivation.holes[place.index]?.number ?? place.index + 1);
    return finding.pointer === "" ? texts.card.wholeCard : finding.pointer.slice(1);
  };
  return (
    <Panel id="warnings" title={texts.card.warnings}>
      <ol class="findings">
        {warnings.map((warning) => {
          const { number, finding } = warning;
          const meaning = meaningOf(finding.code);
          return (
            <li key={number} id={`warning-${number}`} tabIndex={-1}>
              <p>
                <strong>{formatPlace(warning)}</strong>: {finding.detail}
              </p>
              <Values finding={finding} />
              <p class="quiet">
                {meaning !== undefined && <MarkedText text={meaning} />} <code>{finding.code}</code>
              </p>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
