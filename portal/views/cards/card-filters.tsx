import { type Activity, CardState } from "@scorecard-pipeline/scorecards-client";
import { texts } from "../../texts/texts.ts";
import { countIn } from "../overview/overview-notes.ts";

/** Counts whose cards the API lists by day, beside the codes of warnings that were found after a delivery. */
const listedCounts = [CardState.rejected, CardState.undelivered, "notRecorded"] as const;

interface CardFiltersProps {
  readonly day: string;
  readonly today: string;
  readonly counted: string | undefined;
  readonly counts: Activity | undefined;
  readonly change: (changes: { readonly day?: string; readonly counted?: string }) => void;
}

/** Fields that choose cards: a day, and which of its counts. @param counts of these days, once they are read */
export function CardFilters({ day, today, counted, counts, change }: CardFiltersProps) {
  const found = [...listedCounts, ...(counts?.warnings ?? []).map(({ code }) => code)].filter(
    (name) => counts !== undefined && countIn(counts, name) > 0,
  );
  const names = [...new Set([...found, ...(counted === undefined ? [] : [counted])])];
  return (
    <div class="filters">
      <label>
        {texts.cards.day}
        <input
          type="date"
          value={day}
          max={today}
          onChange={(event) => {
            if (event.currentTarget.value !== "") change({ day: event.currentTarget.value });
          }}
        />
      </label>
      <label>
        {texts.overview.attention}
        <select onChange={(event) => change({ counted: event.currentTarget.value })}>
          <option value="">{texts.cards.ofDay}</option>
          {names.map((name) => (
            <option key={name} value={name} selected={name === counted}>
              {texts.states[name] ?? (name === "notRecorded" ? texts.cards.notRecorded : name)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
