import type { StoredScorecard } from "@scorecard-pipeline/scorecards-client";
import { useRef, useState } from "preact/hooks";
import { QuietButton } from "../../components/quiet-button.tsx";
import { texts } from "../../texts/texts.ts";

/** The strokes of a card, hole by hole, to be changed, and to be sent once a person has seen what changes. */
export function CorrectionForm({
  card: { card, derivation },
  isWorking,
  onSend,
}: {
  readonly card: StoredScorecard;
  readonly isWorking: boolean;
  readonly onSend: (strokes: readonly number[]) => void;
}) {
  const { title, text, others, hole, send, confirm, same } = texts.card.correction;
  const { Strokes } = card.Result;
  const dialog = useRef<HTMLDialogElement>(null);
  const [written, setWritten] = useState<readonly number[]>(Strokes);
  const nameHole = (place: number) => hole(derivation.holes[place]?.number ?? place + 1);
  const changes = written.flatMap((count, place) =>
    count === Strokes[place] ? [] : [`${nameHole(place)}: ${Strokes[place]} → ${count}`],
  );
  return (
    <form
      class="panel correction"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        setWritten(Strokes.map((_, place) => Number(fields.get(`strokes-${place}`))));
        dialog.current?.showModal();
      }}
    >
      <h2>{title}</h2>
      <p>{text}</p>
      <p class="quiet">{others}</p>
      <div class="stroke-fields">
        {Strokes.map((count, place) => (
          <label key={place}>
            {nameHole(place)}
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
      <dialog ref={dialog} aria-label={confirm}>
        <h2>{confirm}</h2>
        <p>{changes.length === 0 ? same : changes.join(", ")}</p>
        <div class="actions">
          {changes.length > 0 && (
            <button
              type="button"
              onClick={() => {
                dialog.current?.close();
                onSend(written);
              }}
            >
              {send}
            </button>
          )}
          <QuietButton onClick={() => dialog.current?.close()}>{texts.dialog.cancel}</QuietButton>
        </div>
      </dialog>
    </form>
  );
}
