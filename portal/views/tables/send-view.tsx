import type { Answers } from "@scorecard-pipeline/card-files/reading/reading";
import { useEffect, useState } from "preact/hooks";
import { useSession } from "../../base/session.ts";
import { ConfirmButton } from "../../components/action.tsx";
import { ViewTitle } from "../../components/notices.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { useTables } from "../../tables/connection.ts";
import type { OpenedFile } from "../../tables/worker-messages.ts";
import { words } from "../../texts/tables/texts.ts";
import { texts } from "../../texts/texts.ts";
import { ColumnsForm } from "./columns-form.tsx";
import { Ended } from "./failure-notice.tsx";
import { PendingTables, TableDrop } from "./table-drop.tsx";
import { TableRows } from "./table-rows.tsx";

/** Fields that a person should see before rows are checked, unless the table has a column for each. */
const toBeSeen = ["ExternalID", "Round/RoundType", "Result/IsQualifying", "Round/TournamentName"];

const saysAll = ({ columns }: OpenedFile): boolean =>
  toBeSeen.every((field) => columns.some(([one, source]) => one === field && typeof source === "string"));

/** Sends the cards of a table: choose a file, say which column is what, mend rows, send, follow. */
export function SendView() {
  const { signOut } = useSession();
  const tables = useTables();
  const { remote, table, progress, pending, isDead, ask } = tables;
  const [reading, setReading] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const isExpired = progress?.failure?.kind === "expired";
  useEffect(() => {
    if (isExpired) signOut(true);
  }, [isExpired, signOut]);
  const isSending = progress?.activity === "sending";
  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isSending]);

  const check = async (opened: NonNullable<typeof table>) => {
    const found = await ask<string | undefined>((remote) => remote.check());
    setProblem(found);
    tables.setTable({ ...opened, isChecked: found === undefined });
  };
  const open = async (file: File) => {
    setReading(file.name);
    setFault(undefined);
    setProblem(undefined);
    try {
      if (isDead()) await tables.revive();
      const opened = await ask((remote) => remote.open(file));
      if (opened.rows === 0) {
        setFault(words.drop.empty(file.name));
        return;
      }
      const read = { name: file.name, file, opened, isChecked: false };
      tables.setTable(read);
      const isClear =
        opened.questions.length === 0 && opened.stops.length === 0 && opened.recalled === undefined;
      if (isClear && (opened.isResumed || saysAll(opened))) await check(read);
      // What is missing is asked for in the form; it is no mistake yet.
      setProblem(undefined);
    } catch (error) {
      setFault(isDead() ? words.ended.unread(file.name) : (error as Error).message);
      if (isDead()) await tables.revive();
    } finally {
      setReading(undefined);
    }
  };
  /** @param answers undefined to be asked again what was answered for an earlier table */
  const answer = async (read: NonNullable<typeof table>, answers?: Answers) => {
    const all = answers && { ...read.opened.answers, ...answers };
    const opened = await ask((remote) => remote.answer(all));
    setProblem(undefined);
    if (opened !== undefined) tables.setTable({ ...read, opened, isChecked: false });
  };
  /** That the worker has ended is said above the table. */
  const unlessEnded = (error: unknown) => {
    if (!isDead()) throw error;
  };
  const close = async () => {
    await remote.discard();
    tables.setTable(undefined);
    tables.setPending([]);
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
      {table !== undefined && isDead() && <Ended name={table.name} onAgain={tables.revive} />}
      {table === undefined && (
        <>
          <p class="quiet">{words.about}</p>
          <PendingTables tables={pending} />
          <TableDrop reading={reading} fault={fault} onFile={(file) => void open(file)} />
          <p class="quiet">{words.kept}</p>
        </>
      )}
      <div inert={isDead()}>
        {table !== undefined && !table.isChecked && (
          <ColumnsForm
            key={table.name}
            table={table}
            problem={problem}
            onAnswer={(answers) => void answer(table, answers).catch(unlessEnded)}
            onAgain={() => void answer(table).catch(unlessEnded)}
            onName={(name) => void ask((remote) => remote.nameLayout(name)).catch(unlessEnded)}
            onCheck={() => void check(table).catch(unlessEnded)}
            onCancel={() => void close()}
          />
        )}
      </div>
      {table?.isChecked && progress !== undefined && <TableRows name={table.name} />}
    </>
  );
}
