import type { Finding } from "@scorecard-pipeline/scorecards-client";
import { findPlace } from "../base/finding-places.ts";
import { texts } from "../texts/texts.ts";
import { Meaning } from "./meaning.tsx";
import { Values } from "./values.tsx";

type ShownFinding = Pick<Finding, "code" | "pointer" | "detail" | "expected" | "received">;

/** Where on a card a fault or a warning is, as golfers call it. */
export function namePlace(pointer: string): string {
  const place = findPlace(pointer);
  if (place.kind === "hole") return texts.card.hole(place.index + 1);
  if (place.kind === "card") return texts.card.wholeCard;
  const { field } = place;
  if (field === "totalStrokes") return texts.card.totals.strokes;
  if (field === "totalPoints") return texts.card.totals.points;
  if (field === "netDoubleBogey") return texts.card.totals.netDoubleBogey;
  return texts.card[field];
}

/** What the API says to programs, in English: kept apart from what everybody reads. */
export const ForDeveloper = ({ finding }: { readonly finding: Partial<ShownFinding> }) => (
  <details class="quiet">
    <summary>{texts.refusals.developer}</summary>
    {finding.detail !== undefined && <p lang="en">{finding.detail}</p>}
    <p>
      <code>{finding.code}</code> <code>{finding.pointer}</code>
    </p>
  </details>
);

/** A fault: where it is, what it means and what to do, the values, and what a developer needs. @param isExplained whether its meaning is shown already */
export const RefusalFault = ({
  fault,
  place = namePlace(fault.pointer ?? ""),
  isExplained = false,
}: {
  readonly fault: Pick<ShownFinding, "code"> & Partial<ShownFinding>;
  readonly place?: string | undefined;
  readonly isExplained?: boolean;
}) => (
  <>
    <p>
      <strong>{place}</strong>
      {!isExplained && (
        <>
          : <Meaning code={fault.code} />
        </>
      )}
    </p>
    <Values finding={{ pointer: "", ...fault }} />
    <ForDeveloper finding={fault} />
  </>
);
