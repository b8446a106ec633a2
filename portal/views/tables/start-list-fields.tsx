export function Column({
  id,
  label,
  none,
  header,
  chosen,
  note,
  onChoose,
}: {
  readonly id: string;
  readonly label: string;
  /** What the choice of no column says. */
  readonly none: string;
  readonly header: readonly string[];
  readonly chosen: string;
  readonly note: string;
  readonly onChoose: (column: string) => void;
}) {
  return (
    <div class="field-choice">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={chosen}
        aria-describedby={`${id}-note`}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        <option value="">{none}</option>
        {[...new Set(header)]
          .filter((column) => column !== "")
          .map((column) => (
            <option key={column} value={column}>
              {column}
            </option>
          ))}
      </select>
      <p class="quiet" id={`${id}-note`}>
        {note}
      </p>
    </div>
  );
}

export function Field({
  id,
  label,
  note = "",
  type = "text",
  value,
  onInput,
}: {
  readonly id: string;
  readonly label: string;
  readonly note?: string;
  readonly type?: "text" | "date";
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  const shared = {
    id,
    value,
    "aria-describedby": `${id}-note`,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      onInput(currentTarget.value),
  };
  return (
    <div class="field-choice">
      <label for={id}>{label}</label>
      {type === "date" ? (
        <input type="date" {...shared} />
      ) : (
        <input type="text" autocomplete="off" {...shared} />
      )}
      <p class="quiet" id={`${id}-note`}>
        {note}
      </p>
    </div>
  );
}
