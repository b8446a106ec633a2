import type { Answers } from "@scorecard-pipeline/card-files/reading/reading";
import { useEffect, useState } from "preact/hooks";
import { useSession } from "../../base/session.ts";
import { ConfirmButton } from "../../components/action.tsx";
import { ViewTitle } from "../../components/notices.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { saveFile } from "../../components/save-file.ts";
import { useTables } from "../../tables/connection.ts";
import { words } from "../../texts/tables/texts.ts";
import { language, texts } from "../../texts/texts.ts";
import { ColumnsForm } from "./columns-form.tsx";
import { TableDrop } from "./table-drop.tsx";
import { TableRows } from "./table-rows.tsx";

/** Files that people have of a table, and that no program can read as one. */
const noTables = /\.(pdf|docx?|rtf|pages|png|jpe?g)$/i;

/** Sends the cards of a table: choose a file, say which column is what, mend rows, send, follow. */
export function SendView() {
  const { expire } = useSession();
  const tables = useTables();
  const { table, progress } = tables;
  const [reading, setReading] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const isExpired = progress?.failure?.kind === "expired";
  useEffect(() => {
    if (isExpired) expire();
  }, [isExpired, expire]);
  const isSending = progress?.activity === "sending";
  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isSending]);

  const check = async (opened: NonNullable<typeof table>) => {
    const found = await tables.remote.check();
    setProblem(found);
    tables.setTable({ ...opened, isChecked: found === undefined });
  };
  const open = async (file: File) => {
    const { name } = file;
    if (noTables.test(name)) return setFault(words.drop.noTable(name));
    setReading(name);
    setFault(undefined);
    setProblem(undefined);
    try {
      const opened = await tables.open(file);
      if (opened?.rows === 0) setFault(words.drop.empty(name));
      else if (opened !== undefined) tables.setTable({ name, opened, isChecked: false });
    } catch (error) {
      setFault((error as Error).message || words.drop.unread(name));
    }
    setReading(undefined);
  };
  const download = async (name: string) => {
    const order = await tables.remote.template();
    if (order === undefined) return;
    // Few who send a table make one.
    const { maxTemplatePlayers, writeTemplate } = await import("@scorecard-pipeline/card-files/template");
    if (order.players.length > maxTemplatePlayers) setProblem(words.template.tooMany);
    else saveFile(await writeTemplate(order, language), `${order.tournament || name}.xlsx`);
  };
  const answer = async (read: NonNullable<typeof table>, answers: Answers) => {
    const opened = await tables.remote.answer(answers);
    setProblem(undefined);
    if (opened !== undefined) tables.setTable({ ...read, opened, isChecked: false });
  };
  const close = async () => {
    await tables.remote.close();
    tables.setTable(undefined);
  };

  return (
    <>
      <ViewTitle title={texts.nav.send}>
        {table?.isChecked && (
          <p class="actions">
            <QuietButton disabled={isSending} onClick={() => tables.setTable({ ...table, isChecked: false })}>
              {words.rows.columns}
            </QuietButton>
            <ConfirmButton
              label={words.rows.other}
              title={words.rows.discardTitle}
              text={words.rows.discardText}
              confirm={words.rows.discard}
              kind="quiet-button"
              disabled={isSending}
              onConfirm={() => void close()}
            />
          </p>
        )}
      </ViewTitle>
      {table === undefined && (
        <>
          <p class="quiet">{words.about}</p>
          <TableDrop reading={reading} fault={fault} onFile={(file) => void open(file)} />
          <p>{words.template.hint}</p>
        </>
      )}
      {table !== undefined && !table.isChecked && (
        <ColumnsForm
          key={table.name}
          table={table}
          problem={problem}
          onAnswer={(answers) => void answer(table, answers)}
          onCheck={() => void check(table)}
          onDownload={() => void download(table.name)}
          onCancel={() => void close()}
        />
      )}
      {table?.isChecked && progress !== undefined && <TableRows name={table.name} />}
    </>
  );
}
