import { tabulatePlayers } from "@scorecard-pipeline/card-files/pasted-players";
import { useEffect, useRef, useState } from "preact/hooks";
import { words } from "../../texts/tables/texts.ts";

/** Takes a file, dropped anywhere on the page or chosen, or what is pasted. */
export function TableDrop({
  reading,
  fault,
  onFile,
}: {
  /** Name of the file that is being read. */
  readonly reading: string | undefined;
  readonly fault: string | undefined;
  readonly onFile: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const faultElement = useRef<HTMLParagraphElement>(null);
  const [isOver, setOver] = useState(false);
  const take = useRef(onFile);
  take.current = onFile;
  useEffect(() => faultElement.current?.focus(), [fault]);
  useEffect(() => {
    // A file that is dropped beside the field would replace the page.
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file !== undefined) take.current(file);
    };
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text.trim() !== "") take.current(new File([tabulatePlayers(text)], words.template.pasted));
    };
    addEventListener("paste", paste);
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("paste", paste);
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return (
    <section class={`empty drop ${isOver ? "over" : ""}`}>
      <h2>{words.drop.title}</h2>
      <p>{words.drop.or}</p>
      <p>
        <button type="button" disabled={reading !== undefined} onClick={() => input.current?.click()}>
          {words.drop.choose}
        </button>
      </p>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={words.drop.choose}
        accept=".csv,.tsv,.txt,.xlsx,.xls,.ods,.html,text/csv"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen again after it was changed.
          currentTarget.value = "";
          if (file !== undefined) onFile(file);
        }}
      />
      <p>{words.drop.kinds}</p>
      <p role="status">{reading !== undefined && words.drop.reading(reading)}</p>
      {fault !== undefined && (
        <p class="notice fault" role="alert" tabIndex={-1} ref={faultElement}>
          {fault}
        </p>
      )}
    </section>
  );
}
