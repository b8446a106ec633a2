import type { StoredScorecard } from "@scorecard-pipeline/scorecards-client";
import type { PlacedFinding } from "../../base/finding-places.ts";
import { Meaning } from "../../components/meaning.tsx";
import { Panel } from "../../components/panel.tsx";
import { ForDeveloper, namePlace } from "../../components/refusal-fault.tsx";
import { Values } from "../../components/values.tsx";
import { texts } from "../../texts/texts.ts";

/** Each warning with what to do, under the number that stands beside its place. */
export function Warnings({
  warnings,
  card,
}: {
  readonly warnings: readonly PlacedFinding[];
  readonly card: StoredScorecard;
}) {
  if (warnings.length === 0) return null;
  const formatPlace = ({ place, finding }: PlacedFinding) =>
    place.kind === "hole"
      ? texts.card.hole(card.derivation.holes[place.index]?.number ?? place.index + 1)
      : namePlace(finding.pointer);
  return (
    <Panel id="warnings" title={texts.card.warnings}>
      <ol class="findings">
        {warnings.map((warning) => {
          const { number, finding } = warning;
          return (
            <li key={number} id={`warning-${number}`} tabIndex={-1}>
              <p>
                <strong>{formatPlace(warning)}</strong>: <Meaning code={finding.code} />
              </p>
              <Values finding={finding} />
              <ForDeveloper finding={finding} />
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
