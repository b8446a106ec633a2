import { CardState } from "@scorecard-pipeline/scorecards-client";
import type { CardFilter } from "../../base/route.ts";
import { texts } from "../../texts/texts.ts";

const allStates = [
  CardState.queued,
  CardState.retrying,
  CardState.delivered,
  CardState.rejected,
  CardState.undelivered,
  CardState.withdrawing,
  CardState.withdrawn,
] as const;

/** Fields that choose among the cards of a day. @param codes of warnings that some of its cards have */
export function CardFilters({
  filter,
  day,
  today,
  codes,
  change,
}: {
  readonly filter: CardFilter;
  readonly day: string;
  readonly today: string;
  readonly codes: readonly string[];
  readonly change: (changes: Partial<Record<keyof CardFilter, string>>) => void;
}) {
  return (
    <div class="filters">
      <label>
        {texts.cards.day}
        <input
          type="date"
          value={day}
          max={today}
          onChange={(event) => {
            if (event.currentTarget.value !== "") change({ from: "", day: event.currentTarget.value });
          }}
        />
      </label>
      <label>
        {texts.cards.state}
        <select onChange={(event) => change({ state: event.currentTarget.value })}>
          <option value="">{texts.cards.anyState}</option>
          {allStates.map((state) => (
            <option key={state} value={state} selected={state === filter.state}>
              {texts.states[state]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.cards.code}
        <select onChange={(event) => change({ code: event.currentTarget.value })}>
          <option value="">{texts.cards.anyCode}</option>
          {codes.map((code) => (
            <option key={code} value={code} selected={code === filter.code}>
              {code}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
