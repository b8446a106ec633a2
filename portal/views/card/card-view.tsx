import type { CardRecord, CardStatus, StoredScorecard } from "@scorecard-pipeline/scorecards-client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { isRefusal } from "../../api.ts";
import { ActionResult, type ActionState, ConfirmButton, useAction } from "../../components/action.tsx";
import { MarkedText } from "../../components/marked-text.tsx";
import { Empty, errorText, Failure, Loading, PausedNotice, ViewTitle } from "../../components/notices.tsx";
import { RefusalFault } from "../../components/refusal-list.tsx";
import { StateChip } from "../../components/state-chip.tsx";
import { Values } from "../../components/values.tsx";
import {
  formatHandicap,
  formatShortTime,
  formatTenThousandths,
  formatTime,
  formatUpcoming,
  formatWallClock,
} from "../../format.ts";
import { useLive } from "../../live.ts";
import { addressOf } from "../../route.ts";
import { useSession } from "../../session.ts";
import { meaningOf } from "../../texts/fault-meanings.ts";
import { texts } from "../../texts/texts.ts";
import { correctedCard } from "./correction.ts";
import { type CardField, type PlacedFinding, placed } from "./finding-places.ts";
import { type HistoryEntry, historyOf } from "./history.ts";
import { ScorecardTable, WarningMark } from "./scorecard-table.tsx";
import { withdrawalText } from "./withdrawal.ts";

/** The API's data about an ExternalID: the card was accepted, refused, or neither. */
interface FoundCard {
  readonly status?: CardStatus;
  readonly card?: StoredScorecard;
}

/** Reads a card with its state. */
async function findCard(
  { api }: ReturnType<typeof useSession>,
  externalId: string,
  signal: AbortSignal,
): Promise<FoundCard> {
  const [status, card] = await Promise.all([
    api.status(externalId, signal).catch((error: unknown) => {
      if (isRefusal(error, 404)) return undefined;
      throw error;
    }),
    api.card(externalId, signal).catch((error: unknown) => {
      if (isRefusal(error, 404) || isRefusal(error, 410)) return undefined;
      throw error;
    }),
  ]);
  return { ...(status !== undefined && { status }), ...(card !== undefined && { card }) };
}

/** A card as a golfer knows it, with its warnings and what happened to it. */
export function CardView({ externalId }: { readonly externalId: string }) {
  const session = useSession();
  const [live, refresh] = useLive(externalId, 3, (signal) => findCard(session, externalId, signal));
  const { status, card } = live.data ?? {};
  const isAccepted = status !== undefined && status.state !== "refused";
  return (
    <>
      <p class="back">
        <a href={addressOf({ view: "cards", filter: {} })}>{texts.card.back}</a>
      </p>
      <ViewTitle title={externalId} live={live} refresh={refresh}>
        {status !== undefined && (
          <StateChip state={status.state} hasWarnings={(status.warnings ?? []).length > 0} />
        )}
      </ViewTitle>
      <Failure live={live} retry={refresh} />
      {live.data === undefined && live.failure === undefined && <Loading />}
      {live.data !== undefined && status === undefined && <MissingCard />}
      {status !== undefined && !isAccepted && <RefusedCard status={status} />}
      {isAccepted && (
        <>
          <p class="state-meaning">
            {texts.stateMeanings[status.state]}
            {status.arrival !== undefined && <> {texts.card.arrival[status.arrival]}</>}
          </p>
          <WarningsNotice status={status} />
          {status.lastError !== undefined && status.paused === undefined && status.state !== "delivered" && (
            <section class="notice fault" aria-labelledby="last-error">
              <h2 id="last-error">
                {status.state === "rejected" ? texts.states.rejected : texts.card.lastError}
              </h2>
              <p class="words">{errorText(status.lastError)}</p>
              <p>
                {texts.card.postFailed} {texts.card.phases[status.lastError.stage]}.
              </p>
            </section>
          )}
          {status.paused !== undefined && <PausedNotice paused={status.paused} />}
          {status.record !== undefined && <RecordNotice record={status.record} status={status} />}
          <CardActions status={status} card={card} refresh={refresh} />
          {card === undefined ? (
            <p class="notice">{texts.card.erased}</p>
          ) : (
            <CardContent card={card} status={status} />
          )}
          <History entries={historyOf(status, card?.posts ?? [])} status={status} />
        </>
      )}
    </>
  );
}

/** A Score Differential of the wire, times 10,000, as records show it. */
const differentialText = ({ differential }: CardRecord) =>
  differential === undefined
    ? texts.card.record.noDifferential
    : texts.card.record.differential(formatTenThousandths(differential));

/** Whether the round is in the player's record at the union; if not, why it may not be. */
function RecordNotice({ record, status }: { readonly record: CardRecord; readonly status: CardStatus }) {
  const { state, at } = record;
  const warning = status.warnings?.find(({ code }) => code === "not_recorded");
  return (
    <section class={`notice ${state === "recorded" ? "good" : "warning"}`} aria-labelledby="record">
      <h2 id="record">{texts.card.record.title}</h2>
      {state === "recorded" ? (
        <p>
          {texts.card.record.recorded(formatShortTime(at))}, {differentialText(record)}.
        </p>
      ) : (
        <>
          <p>{texts.card.record.notRecorded(formatShortTime(at))}.</p>
          {warning !== undefined && <p>{warning.detail}</p>}
        </>
      )}
    </section>
  );
}

/** The warnings in short above everything else: a green state alone would say that all is well. */
function WarningsNotice({ status: { state, warnings = [] } }: { readonly status: CardStatus }) {
  if (warnings.length === 0) return null;
  return (
    <section class="notice warning" aria-labelledby="look">
      <h2 id="look">{texts.card.look.title}</h2>
      <p>{state === "delivered" ? texts.card.look.delivered : texts.card.look.waiting}</p>
      <ul>
        {placed(warnings).map((warning) => (
          <li key={warning.number}>
            <WarningMark warning={warning} /> {warning.finding.detail}
          </li>
        ))}
      </ul>
    </section>
  );
}

function MissingCard() {
  return (
    <Empty title={texts.card.missing.title}>
      <p>{texts.card.missing.text}</p>
      <p>
        <a href={addressOf({ view: "refusals", days: 7 })}>{texts.card.missing.toRefusals}</a>
      </p>
    </Empty>
  );
}

function RefusedCard({ status: { since, errors = [] } }: { readonly status: CardStatus }) {
  return (
    <section class="notice fault">
      <h2>{texts.card.missing.refused(since === undefined ? "" : formatShortTime(since))}</h2>
      {errors.map((fault, place) => (
        <div key={place}>
          <p>
            <a href={addressOf({ view: "refusals", days: 30, code: fault.code })}>
              <code>{fault.code}</code>
            </a>
          </p>
          <RefusalFault fault={fault} />
          <p class="quiet">
            <MarkedText text={meaningOf(fault.code) ?? texts.refusals.unknownCode} />
          </p>
        </div>
      ))}
    </section>
  );
}

function CardActions({
  status,
  card,
  refresh,
}: {
  readonly status: CardStatus;
  readonly card: StoredScorecard | undefined;
  readonly refresh: () => void;
}) {
  const { api } = useSession();
  const { state, run, isWorking } = useAction();
  const [isWithdrawal, setWithdrawal] = useState(false);
  const [isCorrecting, setCorrecting] = useState(false);
  const { externalId } = status;
  const isWaiting = status.state === "queued" || status.state === "retrying";
  const isRejected = status.state === "rejected";
  const canWithdraw = isWaiting || status.state === "undelivered";
  const act = (working: string, action: () => Promise<string>) => {
    setWithdrawal(false);
    void run(working, action);
  };
  const shown: ActionState | undefined =
    isWithdrawal && state !== undefined && state.status !== "failed"
      ? { ...state, text: withdrawalText(status.state, state.status === "done") }
      : state;
  return (
    <div class="card-actions">
      <div class="actions">
        {(canWithdraw || isRejected) && (
          <ConfirmButton
            label={isRejected ? texts.card.deliverAgain : texts.card.deliver}
            {...(isRejected ? texts.card.confirmDeliverAgain : texts.card.confirmDeliver)}
            disabled={isWorking}
            onConfirm={() =>
              act(texts.card.delivering, async () => {
                await api.deliver(externalId);
                refresh();
                return texts.card.deliverDone;
              })
            }
          />
        )}
        {card !== undefined && status.state !== "withdrawing" && (
          <button
            type="button"
            class="quiet-button"
            aria-expanded={isCorrecting}
            disabled={isWorking}
            onClick={() => setCorrecting(!isCorrecting)}
          >
            {texts.card.correct}
          </button>
        )}
        {canWithdraw && (
          <ConfirmButton
            label={texts.card.withdraw}
            {...texts.card.confirmWithdraw}
            kind="quiet-button"
            disabled={isWorking}
            onConfirm={() => {
              setWithdrawal(true);
              void run(texts.card.withdrawing, async () => {
                await api.withdraw(externalId);
                refresh();
                return texts.card.withdrawDone;
              });
            }}
          />
        )}
        <button
          type="button"
          class="quiet-button"
          onClick={() =>
            act("", async () => {
              await navigator.clipboard.writeText(location.href);
              return texts.card.copied;
            })
          }
        >
          {texts.card.copyLink}
        </button>
      </div>
      {isRejected && <p class="quiet">{texts.card.notWithdrawn}</p>}
      {isCorrecting && card !== undefined && (
        <CorrectionForm
          card={card}
          isWorking={isWorking}
          onSend={(strokes) => {
            if (strokes.every((count, place) => count === card.card.Result.Strokes[place])) {
              act("", () => Promise.resolve(texts.card.correction.same));
              return;
            }
            act(texts.card.correction.sending, async () => {
              await api.submit([correctedCard(card.card, strokes)]);
              setCorrecting(false);
              refresh();
              return texts.card.correction.sent;
            });
          }}
        />
      )}
      <ActionResult state={shown} />
    </div>
  );
}

/** The strokes of a card, hole by hole, to be changed and sent. */
function CorrectionForm({
  card: { card, derivation },
  isWorking,
  onSend,
}: {
  readonly card: StoredScorecard;
  readonly isWorking: boolean;
  readonly onSend: (strokes: readonly number[]) => void;
}) {
  const { title, text, hole, send } = texts.card.correction;
  const { Strokes } = card.Result;
  return (
    <form
      class="panel correction"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        onSend(Strokes.map((_, place) => Number(fields.get(`strokes-${place}`))));
      }}
    >
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="stroke-fields">
        {Strokes.map((count, place) => (
          <label key={place}>
            {hole(derivation.holes[place]?.number ?? place + 1)}
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
    </form>
  );
}

function CardContent({
  card: answer,
  status,
}: {
  readonly card: StoredScorecard;
  readonly status: CardStatus;
}) {
  const { card, derivation } = answer;
  const { Course, Round, Result, Player, Marker } = card;
  // The state's warnings include those that came with the delivery.
  const warnings = placed(status.warnings ?? answer.warnings);
  const marks = (field: CardField) =>
    warnings
      .filter(({ place }) => place.kind === "field" && place.field === field)
      .map((warning) => <WarningMark key={warning.number} warning={warning} />);
  const person = ({
    FullName,
    UnionID,
    LifeTimeID,
  }: {
    FullName?: unknown;
    UnionID?: unknown;
    LifeTimeID?: unknown;
  }) =>
    [FullName, UnionID ?? LifeTimeID].filter((text) => typeof text === "string" && text !== "").join(", ") ||
    "–";
  const totals = texts.card.totals;
  const playing = card.PHCP === card.CourseHandicap ? undefined : card.PHCP;
  return (
    <>
      <section class="panel scorecard" aria-labelledby="scorecard">
        <h2 id="scorecard">{texts.card.scorecard}</h2>
        <dl class="facts">
          <Fact name={texts.card.player} marks={marks("player")}>
            {person(Player)}
          </Fact>
          <Fact name={texts.card.marker} marks={marks("marker")}>
            {person(Marker)}
          </Fact>
          <Fact name={texts.card.course} marks={marks("course")}>
            {[Course.Name, Course.ClubName].filter(Boolean).join(", ") || "–"}
          </Fact>
          <Fact name={texts.card.tee} marks={marks("tee")}>
            {[
              Course.TeeName,
              texts.card.par(Course.TeePar),
              texts.card.rating(formatTenThousandths(Course.TeeRating), String(Course.TeeSlope ?? "–")),
            ]
              .filter(Boolean)
              .join(", ")}
          </Fact>
          <Fact name={texts.card.round} marks={marks("round")}>
            {[
              formatWallClock(Round.StartTime),
              texts.card.holes(Round.HolesPlayed),
              Round.TournamentName ?? texts.card.roundTypes[Round.RoundType],
              Result.IsQualifying ? texts.card.qualifying : texts.card.notQualifying,
            ]
              .filter(Boolean)
              .join(", ")}
          </Fact>
          <Fact name={texts.card.handicapIndex} marks={marks("handicapIndex")}>
            {formatHandicap(Number(card.HCP) / 10_000)}
          </Fact>
          <Fact name={texts.card.courseHandicap} marks={marks("courseHandicap")}>
            {formatHandicap(card.CourseHandicap)}
          </Fact>
          {playing !== undefined && (
            <Fact name={texts.card.playingHandicap} marks={marks("playingHandicap")}>
              {formatHandicap(playing)}
            </Fact>
          )}
        </dl>
        <ScorecardTable card={card} derivation={derivation} warnings={warnings} />
        <dl class="totals">
          <Fact name={totals.strokes} marks={marks("totalStrokes")}>
            {Result.TotalStrokes === 0 ? <small>{totals.strokesPickedUp}</small> : Result.TotalStrokes}
          </Fact>
          <Fact name={totals.points} marks={marks("totalPoints")}>
            {Result.TotalPoints}
          </Fact>
          <Fact name={totals.netDoubleBogey} marks={marks("netDoubleBogey")}>
            {Result.NetDoubleBogeyGross ?? <small>{totals.netDoubleBogeyNone}</small>}
          </Fact>
          {derivation.scoreDifferential !== null && (
            <Fact name={totals.scoreDifferential} marks={[]}>
              {formatTenThousandths(derivation.scoreDifferential)}
              {status.record?.differential !== undefined &&
                status.record.differential !== derivation.scoreDifferential && (
                  <small>
                    {" "}
                    {totals.unionsDifferential(formatTenThousandths(status.record.differential))}
                  </small>
                )}
            </Fact>
          )}
        </dl>
        <p class="quiet legend">
          {texts.card.rows.received}: {texts.card.rowNotes.received}. {texts.card.rows.counted}:{" "}
          {texts.card.rowNotes.counted}.
        </p>
      </section>
      <Warnings warnings={warnings} card={answer} />
    </>
  );
}

function Fact({
  name,
  marks,
  children,
}: {
  readonly name: string;
  readonly marks: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {marks}
      </dd>
    </div>
  );
}

/** Each warning with what to do, under the number that stands beside its place. */
function Warnings({
  warnings,
  card,
}: {
  readonly warnings: readonly PlacedFinding[];
  readonly card: StoredScorecard;
}) {
  if (warnings.length === 0) return null;
  const nameOf = ({ place, finding }: PlacedFinding) => {
    if (place.kind === "hole")
      return texts.card.hole(card.derivation.holes[place.index]?.number ?? place.index + 1);
    return finding.pointer === "" ? texts.card.wholeCard : finding.pointer.slice(1);
  };
  return (
    <section class="panel" aria-labelledby="warnings">
      <h2 id="warnings">{texts.card.warnings}</h2>
      <ol class="findings">
        {warnings.map((warning) => {
          const { number, finding } = warning;
          const meaning = meaningOf(finding.code);
          return (
            <li key={number} id={`warning-${number}`} tabIndex={-1}>
              <p>
                <strong>{nameOf(warning)}</strong> <code>{finding.code}</code>
              </p>
              <p>{finding.detail}</p>
              {meaning !== undefined && (
                <p class="quiet">
                  <MarkedText text={meaning} />
                </p>
              )}
              <Values finding={finding} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function History({
  entries,
  status,
}: {
  readonly entries: readonly HistoryEntry[];
  readonly status: CardStatus;
}) {
  const hasPosts = entries.some(({ kind }) => kind === "post");
  return (
    <section class="panel" aria-labelledby="history">
      <h2 id="history">{texts.card.history}</h2>
      <ol class="timeline">
        {entries.map((entry, place) => (
          <li key={place} class={kindOf(entry)}>
            <time dateTime={entry.at} title={formatTime(entry.at)}>
              {entry.kind === "next" ? formatUpcoming(entry.at) : formatShortTime(entry.at)}
            </time>
            <HistoryText entry={entry} />
          </li>
        ))}
      </ol>
      {!hasPosts && status.attempts !== undefined && (
        <p class="quiet">{texts.card.attempts(status.attempts)}</p>
      )}
    </section>
  );
}

function kindOf(entry: HistoryEntry): string {
  if (entry.kind === "post") return entry.posts.error === undefined ? "good" : "bad";
  if (entry.kind === "state") return entry.state === "delivered" ? "good" : "bad";
  if (entry.kind === "record") return entry.record.state === "recorded" ? "good" : "bad";
  return entry.kind;
}

function HistoryText({ entry }: { readonly entry: HistoryEntry }) {
  switch (entry.kind) {
    case "accepted":
      return <p>{texts.card.accepted}</p>;
    case "earlier":
      return <p>{texts.card.corrected(texts.states[entry.state] ?? entry.state)}</p>;
    case "state":
      return (
        <p>
          <StateChip state={entry.state} />
        </p>
      );
    case "next":
      return <p>{texts.card.nextAttempt}</p>;
    case "record":
      return (
        <p>
          {entry.record.state === "recorded"
            ? `${texts.card.record.foundThen}, ${differentialText(entry.record)}`
            : texts.card.record.notFoundThen}
        </p>
      );
    case "post": {
      const { at, until, posts, error, version } = entry.posts;
      return (
        <div>
          <p>
            {error === undefined
              ? texts.card.postDelivered
              : `${texts.card.postFailed} ${texts.card.phases[error.stage]}`}
            {until !== undefined && (
              <span class="quiet"> · {texts.card.postsSince(posts, formatShortTime(at))}</span>
            )}
            {version > 1 && <span class="quiet"> · {texts.card.version(version)}</span>}
          </p>
          {error !== undefined && <p class="words">{errorText(error)}</p>}
        </div>
      );
    }
  }
}
