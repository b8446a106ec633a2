import { useEffect, useState } from "preact/hooks";
import { dayIn, formatCount, formatDay, formatTime } from "../../base/format.ts";
import { toAddress } from "../../base/route.ts";
import { useSession } from "../../base/session.ts";
import { ConfirmButton } from "../../components/action.tsx";
import { Panel } from "../../components/panel.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { Tile } from "../../components/tile.tsx";
import { type OpenTable, useTables } from "../../tables/connection.ts";
import type { ListState } from "../../tables/start-list-session.ts";
import type { KeptStartList, SentStartList, WorkerFailure } from "../../tables/worker-messages.ts";
import { words } from "../../texts/tables/texts.ts";
import { FailureNotice } from "./failure-notice.tsx";
import { Column, Field } from "./start-list-fields.tsx";
import { findProblem, parseRounds } from "./start-list-problem.ts";
import { Row } from "./start-list-row.tsx";

const names = words.startList;

/** Sends a table as the start list of a tournament: whose cards are expected. */
export function StartListView({
  table: { name: file, opened },
  onCancel,
}: {
  readonly table: OpenTable;
  readonly onCancel: () => void;
}) {
  const { account, signOut } = useSession();
  const { type, ask } = useTables();
  const today = dayIn(account.timeZone, Date.now());
  const [columns, setColumns] = useState(opened.startList);
  const [name, setName] = useState(opened.tournament);
  const [from, setFrom] = useState(today);
  const [to, setTo] = useState(today);
  const [rounds, setRounds] = useState("");
  const [state, setState] = useState<ListState>();
  const [isSending, setSending] = useState(false);
  const [kept, setKept] = useState<KeptStartList>();
  const [failure, setFailure] = useState<WorkerFailure>();
  useEffect(() => {
    setKept(undefined);
    void type((worker) => worker.readStartList(columns)).then(setState);
  }, [columns]);
  useEffect(() => {
    if (failure?.kind === "expired") signOut(true);
  }, [failure, signOut]);

  const chosenRounds = parseRounds(rounds);
  const problem = findProblem({ columns, from, to, rounds: chosenRounds, players: state?.players ?? 0 });
  const send = async () => {
    setSending(true);
    setFailure(undefined);
    const list = { name, from, to, rounds: chosenRounds ?? [] };
    const sent: SentStartList = await ask((remote) => remote.sendStartList(list)).catch(() => ({}));
    setSending(false);
    setKept(sent.kept);
    setFailure(sent.failure);
    if (sent.state !== undefined) setState(sent.state);
  };
  const change = (changing: Promise<ListState | undefined>) => {
    setKept(undefined);
    void changing.then(setState);
  };
  const days = from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
  const isReady =
    state !== undefined &&
    state.players > 0 &&
    state.faulty === 0 &&
    problem === undefined &&
    name.trim() !== "";
  return (
    <>
      <p class="quiet">{names.about(file)}</p>
      <Panel id="start-list" title={names.title}>
        <div class="field-choices">
          <Column
            id="unionId"
            label={names.unionId}
            none={words.tee.choose}
            header={opened.header}
            chosen={columns.unionId}
            note={columns.unionId === "" ? "" : words.columns.sample(opened.sample[columns.unionId] || "–")}
            onChoose={(unionId) => setColumns({ ...columns, unionId })}
          />
          <Column
            id="label"
            label={names.label}
            none={names.noLabel}
            header={opened.header}
            chosen={columns.label}
            note={names.labelHint}
            onChoose={(label) => setColumns({ ...columns, label })}
          />
          <Field
            id="tournament"
            label={names.tournament}
            note={names.tournamentHint}
            value={name}
            onInput={setName}
          />
          <Field
            id="first-day"
            type="date"
            label={names.from}
            value={from}
            onInput={(day) => {
              setFrom(day);
              if (to < day) setTo(day);
            }}
          />
          <Field id="last-day" type="date" label={names.to} value={to} onInput={setTo} />
          <Field
            id="rounds"
            label={names.rounds}
            note={names.roundsHint}
            value={rounds}
            onInput={setRounds}
          />
        </div>
      </Panel>
      {problem !== undefined && (
        <p class="notice warning" role="alert">
          {problem}
        </p>
      )}
      {failure !== undefined && <FailureNotice failure={failure} />}
      <p role="status" class="table-status">
        {isSending && names.sending}
      </p>
      {kept !== undefined && (
        <section class="notice good" role="status">
          <p>{names.kept(formatCount(kept.players), formatTime(kept.expiresAt))}</p>
          <p>
            <a
              class="main-link"
              href={toAddress({
                view: "tournament",
                shown: { id: kept.id, from: kept.from, to: kept.to },
              })}
            >
              {name.trim()}
            </a>
          </p>
        </section>
      )}
      {state !== undefined && columns.unionId !== "" && (
        <dl class="tiles">
          <Tile name={names.players} value={formatCount(state.players)} />
          <Tile
            name={words.rows.tiles.faulty}
            value={formatCount(state.faulty)}
            kind={state.faulty > 0 ? "bad" : ""}
          />
          {state.leftOut > 0 && <Tile name={words.rows.tiles.leftOut} value={formatCount(state.leftOut)} />}
        </dl>
      )}
      <div class="actions send-actions">
        <ConfirmButton
          label={names.button(formatCount(state?.players ?? 0))}
          {...(kept !== undefined && { kind: "quiet-button" as const })}
          title={names.sendTitle}
          text={names.sendText(days)}
          disabled={!isReady || isSending}
          onConfirm={() => void send()}
        />
        <QuietButton disabled={isSending} onClick={onCancel}>
          {words.columns.cancel}
        </QuietButton>
      </div>
      {columns.unionId !== "" && (
        <section class="table-rows" aria-label={words.rows.title}>
          {state?.shown.map((row) => (
            <Row
              key={row.number}
              row={row}
              columns={columns}
              onMend={(field, text) =>
                change(type((worker) => worker.mendStartList(row.number, field, text)))
              }
              onLeaveOut={() =>
                change(type((worker) => worker.leaveOutOfStartList(row.number, !row.isLeftOut)))
              }
            />
          ))}
        </section>
      )}
    </>
  );
}
