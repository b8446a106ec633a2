import {
  type Answers,
  answerKey,
  type Choice,
  type Question,
} from "@scorecard-pipeline/card-files/reading/reading";
import { useState } from "preact/hooks";
import { useLive } from "../../base/live.ts";
import { useSession } from "../../base/session.ts";
import { Panel } from "../../components/panel.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { words } from "../../texts/tables/texts.ts";
import { locale } from "../../texts/texts.ts";

const { ask, answers: meanings } = words.reading;
const names = words.questions;

/** What only a person knows of the table, one question after the other. */
export function QuestionsPanel({
  questions,
  onAnswer,
}: {
  readonly questions: readonly Question[];
  readonly onAnswer: (answers: Answers) => void;
}) {
  if (questions.length === 0) return null;
  return (
    <Panel class="notice warning questions" id="questions" title={names.title(String(questions.length))}>
      {questions.map((question) => (
        <OneQuestion
          key={answerKey(question)}
          question={question}
          onAnswer={(value) => onAnswer({ [answerKey(question)]: value })}
        />
      ))}
    </Panel>
  );
}

function OneQuestion({
  question,
  onAnswer,
}: {
  readonly question: Question;
  readonly onAnswer: (value: string) => void;
}) {
  const { id, about, choices } = question;
  const text = ask[id](about);
  return (
    <fieldset class="question">
      <legend>{text}</legend>
      {choices.length > 0 && (
        <p class="actions">
          {choices.map((choice) => (
            <QuietButton key={choice.value} onClick={() => onAnswer(choice.value)}>
              {formatChoice(choice)}
            </QuietButton>
          ))}
        </p>
      )}
      {(choices.length === 0 || mayBeOther.has(id)) && (
        <Typed label={text} isDay={id === "date"} onAnswer={onAnswer} />
      )}
      {id === "course" && <OtherClub onAnswer={onAnswer} />}
    </fieldset>
  );
}

/** Questions whose answer may be none of what the file, or the register, offers. */
const mayBeOther: ReadonlySet<string> = new Set(["date", "club"]);

const formatChoice = ({ value, label }: Choice): string => {
  const meaning = meanings[value];
  if (meaning === undefined) return label ?? value;
  return label === undefined || label === "" ? meaning : `${meaning} (${label})`;
};

function Typed({
  label,
  isDay,
  onAnswer,
}: {
  readonly label: string;
  readonly isDay: boolean;
  readonly onAnswer: (value: string) => void;
}) {
  const [text, setText] = useState("");
  const field = {
    "aria-label": label,
    value: text,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setText(currentTarget.value),
  };
  return (
    <p class="actions">
      {isDay ? <input type="date" {...field} /> : <input type="text" {...field} />}
      <QuietButton disabled={text.trim() === ""} onClick={() => onAnswer(text.trim())}>
        {names.use}
      </QuietButton>
    </p>
  );
}

/** A course of a club that neither the file nor its players name. */
function OtherClub({ onAnswer }: { readonly onAnswer: (value: string) => void }) {
  const { api } = useSession();
  const [live] = useLive("clubs", 0, (signal) => api.clubs(signal));
  const clubs = (live.data ?? []).toSorted((one, other) => one.Name.localeCompare(other.Name, locale));
  return (
    <select
      aria-label={names.otherClub}
      onChange={({ currentTarget }) => currentTarget.value !== "" && onAnswer(currentTarget.value)}
    >
      <option value="">{names.otherClub} …</option>
      {clubs.map(({ ID, Name }) => (
        <option key={ID} value={Name}>
          {Name}
        </option>
      ))}
    </select>
  );
}
