import { countUncounted } from "@scorecard-pipeline/card-files/uncounted";
import type { TournamentSummary } from "@scorecard-pipeline/scorecards-client";
import { formatCount, formatDay } from "../../base/format.ts";
import { toAddress } from "../../base/route.ts";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { words } from "../../texts/tournaments/texts.ts";

/** A tournament with all of its days that are listed. */
export interface TournamentRow {
  readonly id: string;
  readonly name: string | undefined;
  readonly days: readonly TournamentSummary[];
}

export function TournamentPanel({ tournament }: { readonly tournament: TournamentRow }) {
  const { id, name, days } = tournament;
  const played = days.map(({ day }) => day).toSorted();
  const [from = "", to = ""] = [played[0], played.at(-1)];
  const sum = (count: (day: TournamentSummary) => number) => days.reduce((all, day) => all + count(day), 0);
  const sent = sum(({ cards, withdrawn }) => cards - withdrawn);
  const delivered = sum((day) => day.delivered);
  const failed = sum(({ rejected, undelivered }) => rejected + undelivered);
  const uncounted = sum((day) => Math.min(countUncounted(day.warnings), day.delivered - day.recorded));
  const refused = sum((day) => day.refused);
  const recorded = sum((day) => day.recorded);
  const isOneDay = from === to;
  return (
    <article class="panel">
      <h2>
        <a href={toAddress({ view: "tournament", shown: { id, from, to } })}>{name ?? words.nameless}</a>
      </h2>
      <p class="quiet">
        {isOneDay ? words.onDays(formatDay(from)) : words.onDaysFrom(formatDay(from), formatDay(to))}
      </p>
      <ProgressBar sent={sent} delivered={delivered - uncounted} failed={failed + uncounted} />
      <p class="counts">
        <span>{words.sent(formatCount(sent))}</span>
        <span>{words.deliveredCards(formatCount(delivered))}</span>
        {recorded > 0 && <span>{words.inRecords(formatCount(recorded))}</span>}
        {refused > 0 && <strong class="bad">{words.refusedCards(formatCount(refused))}</strong>}
        {failed > 0 && <strong class="bad">{words.notDelivered(formatCount(failed))}</strong>}
        {uncounted > 0 && <strong class="bad">{words.uncounted(formatCount(uncounted))}</strong>}
      </p>
    </article>
  );
}
