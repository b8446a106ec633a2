import { useState } from "preact/hooks";
import { dayIn } from "../../base/format.ts";
import { useLive } from "../../base/live.ts";
import { useSession } from "../../base/session.ts";
import { Loading } from "../../components/notices.tsx";
import { words } from "../../texts/tables/texts.ts";
import { locale } from "../../texts/texts.ts";

/** Finds a tee by its club and course, since a person does not know its ID. @param onTee called with the ID of the one that was chosen */
export function TeeFinder({ onTee }: { readonly onTee: (teeId: string) => void }) {
  const { account } = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!["clubs", "courses"].every((resource) => account.resources.includes(resource))) return null;
  return (
    <details class="panel tee-finder" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.tee.find}</summary>
      {isOpen && <Clubs onTee={onTee} />}
    </details>
  );
}

function Clubs({ onTee }: { readonly onTee: (teeId: string) => void }) {
  const { api } = useSession();
  const [live] = useLive("clubs", 0, (signal) => api.clubs(signal));
  const [clubId, setClubId] = useState("");
  if (live.failure !== undefined) return <p role="alert">{words.tee.failed}</p>;
  if (live.data === undefined) return <Loading />;
  const clubs = live.data.toSorted((one, other) => one.Name.localeCompare(other.Name, locale));
  return (
    <div class="field-choices">
      <Choose label={words.tee.club} options={clubs.map(({ ID, Name }) => [ID, Name])} onChoose={setClubId} />
      {clubId !== "" && <Courses key={clubId} clubId={clubId} onTee={onTee} />}
    </div>
  );
}

function Courses({ clubId, onTee }: { readonly clubId: string; readonly onTee: (teeId: string) => void }) {
  const { api, account } = useSession();
  const [courseId, setCourseId] = useState("");
  const today = dayIn(account.timeZone, Date.now());
  const [live] = useLive(clubId, 0, (signal) => api.courses(clubId, today, signal));
  if (live.failure !== undefined) return <p role="alert">{words.tee.failed}</p>;
  if (live.data === undefined) return <Loading />;
  const course = live.data.find(({ ID }) => ID === courseId);
  return (
    <>
      <Choose
        label={words.tee.course}
        options={live.data.map(({ ID, Name, NumberOfHoles }) => [ID, `${Name} (${NumberOfHoles})`])}
        onChoose={setCourseId}
      />
      {course !== undefined && (
        <Choose
          key={courseId}
          label={words.tee.tee}
          options={course.Tees.flatMap(({ ID, Name }) => (ID === undefined ? [] : [[ID, Name]]))}
          onChoose={onTee}
        />
      )}
    </>
  );
}

function Choose({
  label,
  options,
  onChoose,
}: {
  readonly label: string;
  readonly options: readonly (readonly string[])[];
  readonly onChoose: (id: string) => void;
}) {
  return (
    <label class="field-choice">
      {label}
      <select onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">{words.tee.choose}</option>
        {options.map(([id = "", name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
