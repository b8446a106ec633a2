import type { CardRefusal } from "@scorecard-pipeline/scorecards-client";
import { formatDay } from "../base/format.ts";
import { toAddress } from "../base/route.ts";
import { texts } from "../texts/texts.ts";

/** The tournament that a refused card names, with day and round. */
export function RefusedIn({ tournament }: { readonly tournament: CardRefusal["tournament"] | undefined }) {
  if (tournament === undefined) return null;
  const { id, name, day, round } = tournament;
  return (
    <p>
      <a href={toAddress({ view: "tournament", shown: { id, from: day, to: day } })}>{name}</a>,{" "}
      {formatDay(day)}
      {round > 0 && `, ${texts.refusals.round(round)}`}
    </p>
  );
}
