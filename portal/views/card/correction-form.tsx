import type { StoredScorecard } from "@scorecard-pipeline/scorecards-client";
import { texts } from "../../texts/texts.ts";

/** The strokes of a card, hole by hole, to be changed and sent. */
export function CorrectionForm({
  card: { card, derivation },
  isWorking,
  onSend,
}: {
  readonly card: StoredScorecard;
  readonly isWorking: boolean;
  readonly onSend: (strokes: readonly number[]) => void;
}) {
  const { title, text, hole, send } = texts.card.correction;
  const { Strokes } = card.Result;
  return (
    <form
      class="panel correction"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        onSend(Strokes.map((_, place) => Number(fields.get(`strokes-${place}`))));
      }}
    >
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="stroke-fields">
        {Strokes.map((count, place) => (
          <label key={place}>
            {hole(derivation.holes[place]?.number ?? place + 1)}
            <input
              type="number"
              name={`strokes-${place}`}
              min={-1}
              max={99}
              step={1}
              required
              defaultValue={String(count)}
            />
          </label>
        ))}
      </div>
      <button type="submit" disabled={isWorking}>
        {send}
      </button>
    </form>
  );
}
