import { describeAnswer } from "@scorecard-pipeline/card-files/reading/recall-answers";
import { QuietButton } from "../../components/quiet-button.tsx";
import type { OpenedFile } from "../../tables/worker-messages.ts";
import { words } from "../../texts/tables/texts.ts";

const names = words.recalled;

/** Says what was answered as for an earlier table with the same headings, so that a person can change it. */
export function RecalledAnswers({
  recalled: { name, answers },
  onAgain,
  onName,
}: {
  readonly recalled: NonNullable<OpenedFile["recalled"]>;
  readonly onAgain: () => void;
  readonly onName: (name: string) => void;
}) {
  const told = answers.map((one) =>
    describeAnswer(
      one.id === "columns" ? { ...one, about: words.fields[one.about] ?? one.about } : one,
      words.reading,
    ),
  );
  return (
    <div class="notice good">
      <p>{names.text(name, told.join("; "))}</p>
      <div class="actions">
        <QuietButton onClick={onAgain}>{names.again}</QuietButton>
        <label>
          {names.name}{" "}
          <input
            type="text"
            value={name}
            maxLength={60}
            onChange={({ currentTarget }) => onName(currentTarget.value.trim())}
          />
        </label>
      </div>
    </div>
  );
}
