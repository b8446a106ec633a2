import { useEffect, useRef } from "preact/hooks";

/** A cell of a table that can be mended. @param onMend called with another text when it is written */
export function Cell({
  id,
  label,
  text,
  isFaulty,
  onMend,
}: {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly isFaulty: boolean;
  readonly onMend: (text: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const { current } = input;
    // A cell that is being written keeps what is written, and the keyboard its place.
    if (current !== null && current !== document.activeElement) current.value = text;
  }, [text]);
  return (
    <div class="cell">
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={input}
        type="text"
        autocomplete="off"
        spellcheck={false}
        aria-invalid={isFaulty ? "true" : undefined}
        defaultValue={text}
        onChange={({ currentTarget }) => {
          if (currentTarget.value.trim() !== text) onMend(currentTarget.value);
        }}
      />
    </div>
  );
}
