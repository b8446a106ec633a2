import type {
  ExpectedRound,
  Tournament,
  TournamentCard,
  TournamentRefusal,
} from "@scorecard-pipeline/scorecards-client";
import { useEffect, useState } from "preact/hooks";
import { isRefusal } from "../../api.ts";
import { Choice } from "../../components/choice.tsx";
import { MarkedText } from "../../components/marked-text.tsx";
import { Empty, Failure, Loading, ViewTitle } from "../../components/notices.tsx";
import { RefusalFault } from "../../components/refusal-list.tsx";
import { saveFile } from "../../components/save-file.ts";
import { StateChip } from "../../components/state-chip.tsx";
import { Tile } from "../../components/tile.tsx";
import { formatCount, formatDay, formatHandicap, formatShortTime, formatTime } from "../../format.ts";
import { useLive } from "../../live.ts";
import { addressOf, type Board, boards, type ShownTournament } from "../../route.ts";
import { useSession } from "../../session.ts";
import { meaningOf } from "../../texts/fault-meanings.ts";
import { locale, texts } from "../../texts/texts.ts";
import { words } from "../../texts/tournaments/texts.ts";
import { type BoardLine, countedIn, leaderboard, roundsOf } from "./leaderboard.ts";
import { type TournamentCards, useTournamentCards } from "./tournament-cards.ts";
import { separatorOf, tournamentCsv } from "./tournament-csv.ts";
import { paceOf, quickestPace } from "./tournament-pace.ts";
import { ProgressBar } from "./tournaments-view.tsx";

const playedOn = ({ from, to }: Pick<Tournament, "from" | "to">) =>
  from === to ? words.onDays(formatDay(from)) : words.onDaysFrom(formatDay(from), formatDay(to));

/** What became of a tournament's cards, while they arrive and afterwards. */
export function TournamentView({ shown }: { readonly shown: ShownTournament }) {
  const { api, account } = useSession();
  const { id, from, to } = shown;
  const query = `?${new URLSearchParams({ from, to })}`;
  const [pace, setPace] = useState(quickestPace);
  const [live, refresh] = useLive(`${id} ${query}`, pace, (signal) => api.tournament(id, query, signal));
  const [readsAll, setReadsAll] = useState(false);
  const { data } = live;
  useEffect(() => {
    if (data !== undefined) setPace(paceOf(data));
  }, [data]);
  const [read, readAgain] = useTournamentCards(
    id,
    query,
    data && JSON.stringify([data.totals, data.rounds, data.warnings]),
    readsAll,
  );
  // The paper has all lines of the leaderboard, so it is printed once they are drawn.
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    if (!isPrinting) return;
    print();
    setPrinting(false);
  }, [isPrinting]);
  const isMissing = isRefusal(live.failure, 404);
  return (
    <>
      <p class="back">
        <a href={addressOf({ view: "tournaments", period: { days: 31 } })}>{words.back}</a>
      </p>
      <ViewTitle
        title={data === undefined ? texts.nav.tournament : (data.name ?? words.nameless)}
        live={live}
        refresh={refresh}
      >
        {data !== undefined && (
          <p class="actions">
            <button type="button" class="quiet-button" onClick={() => setPrinting(true)}>
              {words.print}
            </button>
            <button
              type="button"
              class="quiet-button"
              disabled={read.isReading || read.failure !== undefined}
              onClick={() => save(data, read.cards)}
            >
              {words.save}
            </button>
          </p>
        )}
      </ViewTitle>
      {isMissing ? (
        <Empty title={words.missing.title}>
          <p>{words.missing.text}</p>
        </Empty>
      ) : (
        <Failure live={live} retry={refresh} />
      )}
      {data === undefined && live.failure === undefined && <Loading />}
      {data !== undefined && !isMissing && (
        <>
          <p class="quiet">
            {playedOn(data)}
            <span class="printed">
              . {words.printedAt(formatTime(live.at ?? Date.now()), account.username)}
            </span>
          </p>
          <Progress tournament={data} />
          <ToMend tournament={data} />
          <MissingCards tournament={data} />
          {read.failure !== undefined && <Failure live={{ failure: read.failure }} retry={readAgain} />}
          <ToLookAt cards={read.cards} />
          <Leaderboard
            shown={shown}
            read={read}
            isPrinted={isPrinting}
            all={data.totals.cards}
            readAll={readsAll ? undefined : () => setReadsAll(true)}
          />
          <Rounds tournament={data} />
          <Warnings tournament={data} />
        </>
      )}
    </>
  );
}

/** Has the browser save a table of the cards. */
function save({ name, from, refused }: Tournament, cards: readonly TournamentCard[]): void {
  const table = tournamentCsv(cards, refused.latest, {
    words: words.csv,
    stateText: (state) => texts.states[state] ?? state,
    separator: separatorOf(locale),
  });
  // Only letters and digits: what else a name has, some file systems do not take.
  const plain = (name ?? words.csv.file).replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
  saveFile(table, `${plain || words.csv.file}-${from}.csv`);
}

function Progress({ tournament }: { readonly tournament: Tournament }) {
  const { totals, refused } = tournament;
  const sent = totals.cards - totals.withdrawn;
  const failed = totals.rejected + totals.undelivered;
  const expected = (tournament.startLists ?? []).flatMap(({ rounds }) => rounds);
  const missing = expected.reduce((sum, round) => sum + round.missing, 0);
  const { tiles } = words;
  return (
    <section aria-labelledby="progress">
      <h2 id="progress" class="said">
        {words.progress}
      </h2>
      <p class="said">{words.share(formatCount(totals.delivered), formatCount(sent))}</p>
      <ProgressBar sent={sent} delivered={totals.delivered} failed={failed} />
      <dl class="tiles">
        <Tile name={tiles.sent} value={formatCount(sent)}>
          {totals.withdrawn > 0 && tiles.withdrawn(formatCount(totals.withdrawn))}
        </Tile>
        <Tile name={tiles.refused} value={formatCount(refused.cards)} kind={refused.cards > 0 ? "bad" : ""}>
          {refused.corrections > 0 && tiles.corrections(formatCount(refused.corrections))}
        </Tile>
        {expected.length > 0 && (
          <Tile name={tiles.missing} value={formatCount(missing)}>
            {tiles.expected(formatCount(expected.reduce((sum, { players }) => sum + players, 0)))}
          </Tile>
        )}
        <Tile name={tiles.delivered} value={formatCount(totals.delivered)} />
        {totals.waiting > 0 && <Tile name={tiles.waiting} value={formatCount(totals.waiting)} />}
        {failed > 0 && <Tile name={tiles.failed} value={formatCount(failed)} kind="bad" />}
        <Tile
          name={tiles.recorded}
          value={totals.recorded + totals.notRecorded === 0 ? "–" : formatCount(totals.recorded)}
        >
          {totals.notRecorded > 0
            ? tiles.notRecorded(formatCount(totals.notRecorded))
            : totals.recorded === 0 && tiles.notAsked}
        </Tile>
        {totals.warned > 0 && <Tile name={tiles.warned} value={formatCount(totals.warned)} />}
      </dl>
      {!refused.isComplete && (
        <p class="notice warning">
          <a href={addressOf({ view: "refusals", days: 7 })}>{words.refusedMayBeMore}</a>
        </p>
      )}
    </section>
  );
}

function Rounds({ tournament: { rounds } }: { readonly tournament: Tournament }) {
  if (rounds.length < 2) return null;
  const names = words.rounds;
  return (
    <div class="panel">
      <h2 id="rounds">{names.title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has only a keyboard scrolls it by that */}
      <section class="wide" tabIndex={0} aria-labelledby="rounds">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">{names.day}</th>
              <th scope="col">{names.round}</th>
              <th scope="col">{names.sent}</th>
              <th scope="col">{names.delivered}</th>
              <th scope="col">{names.waiting}</th>
              <th scope="col">{names.failed}</th>
              <th scope="col">{names.recorded}</th>
              <th scope="col">{names.withdrawn}</th>
            </tr>
          </thead>
          <tbody>
            {rounds.map((one) => (
              <tr key={`${one.day} ${one.round}`}>
                <th scope="row">{formatDay(one.day)}</th>
                <td>{one.round === 0 ? names.without : one.round}</td>
                <td>{formatCount(one.cards - one.withdrawn)}</td>
                <td>{formatCount(one.delivered)}</td>
                <td>{formatCount(one.waiting)}</td>
                <td>{formatCount(one.rejected + one.undelivered)}</td>
                <td>{formatCount(one.recorded)}</td>
                <td>{formatCount(one.withdrawn)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

/** Refused cards with their faults. */
function ToMend({ tournament: { refused } }: { readonly tournament: Tournament }) {
  if (refused.latest.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="to-mend">
      <h2 id="to-mend">{words.mend.title}</h2>
      <p class="quiet">{words.mend.about}</p>
      <ul class="findings refused-cards">
        {refused.latest.map((card) => (
          <li key={`${card.requestId} ${card.index}`}>
            <RefusedEntry card={card} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RefusedEntry({ card }: { readonly card: TournamentRefusal }) {
  const { externalId, round, day, at, isCorrection, errors } = card;
  return (
    <>
      <p>
        {externalId === undefined ? (
          <span>{words.mend.noName}</span>
        ) : (
          <a href={addressOf({ view: "card", externalId })}>{externalId}</a>
        )}{" "}
        <span class="quiet">
          {formatDay(day)}
          {round !== undefined && `, ${words.mend.round(String(round))}`},{" "}
          <time dateTime={at}>{formatShortTime(at)}</time>
        </span>
      </p>
      {isCorrection && <p class="quiet">{words.mend.correction}</p>}
      {errors.map((fault, place) => (
        <RefusalFault key={place} fault={fault} />
      ))}
    </>
  );
}

/** Players of start lists whose cards are missing, by round. */
function MissingCards({ tournament: { startLists = [] } }: { readonly tournament: Tournament }) {
  if (startLists.length === 0) return null;
  const names = words.startList;
  return (
    <section class="panel" aria-labelledby="missing-cards">
      <h2 id="missing-cards">{names.title}</h2>
      {startLists.map((list) => (
        <div key={list.from}>
          <p class="quiet">
            {names.about(
              list.from === list.to
                ? formatDay(list.from)
                : `${formatDay(list.from)} – ${formatDay(list.to)}`,
              formatTime(list.expiresAt),
            )}
          </p>
          {!list.isComplete && <p class="notice warning">{names.mayBeFewer}</p>}
          {list.rounds.map((round) => (
            <MissingInRound key={round.round} round={round} />
          ))}
        </div>
      ))}
    </section>
  );
}

function MissingInRound({ round }: { readonly round: ExpectedRound }) {
  const names = words.startList;
  const { players, missing, missingPlayers, unlisted, unlistedCards } = round;
  return (
    <>
      <h3>{round.round === 0 ? names.noRound : names.round(String(round.round))}</h3>
      <p>
        {missing === 0
          ? names.none(formatCount(players))
          : names.missing(formatCount(missing), formatCount(players))}
      </p>
      {missing > 0 && (
        <ul class="missing">
          {missingPlayers.map(({ index, label, reason }) => (
            <li key={index}>
              {label ?? names.player(formatCount(index + 1))}
              {names.reasons[reason] !== undefined && <span class="quiet"> {names.reasons[reason]}</span>}
            </li>
          ))}
          {missing > missingPlayers.length && (
            <li>{names.more(formatCount(missing - missingPlayers.length))}</li>
          )}
        </ul>
      )}
      {unlisted > 0 && (
        <>
          <p class="quiet">{names.unlisted(formatCount(unlisted))}</p>
          <ul class="missing">
            {unlistedCards.map((externalId) => (
              <li key={externalId}>
                <a href={addressOf({ view: "card", externalId })}>{externalId}</a>
              </li>
            ))}
            {unlisted > unlistedCards.length && (
              <li>{names.more(formatCount(unlisted - unlistedCards.length))}</li>
            )}
          </ul>
        </>
      )}
    </>
  );
}

/** Cards that are not delivered, or have a warning. */
function ToLookAt({ cards }: { readonly cards: readonly TournamentCard[] }) {
  const found = cards.filter(({ state, warnings }) =>
    state === "delivered" ? warnings.length > 0 : state !== "withdrawn",
  );
  if (found.length === 0) return null;
  const names = words.look;
  return (
    <section class="panel" aria-labelledby="to-look-at">
      <h2 id="to-look-at">{names.title}</h2>
      <p class="quiet">{names.about}</p>
      <ul class="look">
        {found.map((card) => (
          <li key={card.externalId}>
            <a href={addressOf({ view: "card", externalId: card.externalId })}>{card.externalId}</a>
            <span>{card.playerName}</span>
            <StateChip state={card.state} hasWarnings={card.warnings.length > 0} />
            <span>
              {card.warnings.map((code) => (
                <code key={code}>{code} </code>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Warnings({ tournament: { warnings } }: { readonly tournament: Tournament }) {
  if (warnings.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="warnings">
      <h2 id="warnings">{words.warnings.title}</h2>
      <ul class="findings">
        {warnings.map(({ code, cards }) => (
          <li key={code}>
            <p>
              <code>{code}</code>:{" "}
              {cards === 1 ? words.warnings.card : words.warnings.cards(formatCount(cards))}
            </p>
            <p>
              <MarkedText text={meaningOf(code) ?? texts.refusals.unknownCode} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const roundName = (round: string) => (round.includes("-") ? formatDay(round) : words.board.round(round));

function Leaderboard({
  shown,
  read,
  isPrinted,
  all,
  readAll,
}: {
  readonly shown: ShownTournament;
  readonly read: TournamentCards;
  readonly isPrinted: boolean;
  readonly all: number;
  readonly readAll: (() => void) | undefined;
}) {
  const { board, round } = shown;
  const { cards, isReading, hasMore } = read;
  const names = words.board;
  const rounds = roundsOf(cards.filter(({ state }) => state !== "withdrawn"));
  const chosen = rounds.find((one) => one === round) ?? (rounds.length === 1 ? rounds[0] : undefined);
  const lines = leaderboard(cards, board, chosen);
  const counts = [formatCount(cards.length), formatCount(Math.max(all, cards.length))] as const;
  const { round: _, ...plain } = shown;
  return (
    <div class="panel board">
      <h2 id="board">{names.title}</h2>
      <p class="quiet">{names.about}</p>
      <div class="choices">
        <Choice
          label={names.kind}
          options={boards.map((one) => ({
            text: names.kinds[one] ?? one,
            href: addressOf({ view: "tournament", shown: { ...shown, board: one } }),
            isCurrent: one === board,
          }))}
        />
        {rounds.length > 1 && (
          <Choice
            label={names.rounds}
            options={[
              {
                text: names.all,
                href: addressOf({ view: "tournament", shown: plain }),
                isCurrent: chosen === undefined,
              },
              ...rounds.map((one) => ({
                text: roundName(one),
                href: addressOf({ view: "tournament", shown: { ...plain, round: one } }),
                isCurrent: one === chosen,
              })),
            ]}
          />
        )}
      </div>
      {hasMore && cards.length > 0 && (
        <p class="quiet" role="status">
          {isReading ? names.read(...counts) : names.first(...counts)}{" "}
          {!isReading && readAll !== undefined && (
            <button type="button" class="quiet-button" onClick={readAll}>
              {names.rest}
            </button>
          )}
        </p>
      )}
      {lines.length === 0 ? (
        isReading && all > 0 ? (
          <Loading />
        ) : (
          <p class="quiet">{names.none}</p>
        )
      ) : (
        <BoardTable
          lines={lines}
          board={board}
          rounds={chosen === undefined ? rounds : [chosen]}
          isPrinted={isPrinted}
        />
      )}
    </div>
  );
}

/** Lines that are in the document at first. */
const linesShown = 200;

function BoardTable({
  lines,
  board,
  rounds,
  isPrinted,
}: {
  readonly lines: readonly BoardLine[];
  readonly board: Board;
  readonly rounds: readonly string[];
  readonly isPrinted: boolean;
}) {
  const names = words.board;
  const [most, setMost] = useState(linesShown);
  const hasTotal = rounds.length > 1;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has only a keyboard scrolls it by that */}
      <section class="wide" tabIndex={0} aria-labelledby="board">
        <table class="figures leaders">
          <thead>
            <tr>
              <th scope="col">{names.place}</th>
              <th scope="col">{names.player}</th>
              <th scope="col">{names.handicap}</th>
              {rounds.map((round) => (
                <th scope="col" key={round}>
                  {hasTotal ? roundName(round) : names.kinds[board]}
                </th>
              ))}
              {hasTotal && <th scope="col">{names.total}</th>}
              {!hasTotal && <th scope="col">{names.played}</th>}
              <th scope="col">{names.state}</th>
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, isPrinted ? lines.length : most).map((line) => (
              <BoardRow key={line.player} line={line} board={board} rounds={rounds} />
            ))}
          </tbody>
        </table>
      </section>
      {lines.length > most && (
        <button type="button" class="quiet-button" onClick={() => setMost(most + 5 * linesShown)}>
          {words.more}
        </button>
      )}
    </>
  );
}

function BoardRow({
  line,
  board,
  rounds,
}: {
  readonly line: BoardLine;
  readonly board: Board;
  readonly rounds: readonly string[];
}) {
  const names = words.board;
  const cards = [...line.cards.values()];
  const [first] = cards;
  const last = cards.at(-1);
  if (first === undefined || last === undefined) return null;
  const hasTotal = rounds.length > 1;
  const several = [...line.several.values()];
  return (
    <tr>
      <td>{line.place ?? "–"}</td>
      <th scope="row">
        <a href={addressOf({ view: "card", externalId: last.externalId })}>
          {last.playerName ?? last.externalId}
        </a>
        {last.clubName !== undefined && <span class="quiet"> {last.clubName}</span>}
        {several.map((count) => (
          <span class="quiet" key={count}>
            {" "}
            {names.several(formatCount(count))}
          </span>
        ))}
      </th>
      <td>{last.playingHandicap === undefined ? "–" : formatHandicap(last.playingHandicap)}</td>
      {rounds.map((round) => {
        const card = line.cards.get(round);
        const value = card && countedIn(card, board);
        return <td key={round}>{value ?? (card === undefined ? "" : names.noResult)}</td>;
      })}
      {hasTotal && (
        <td>
          <strong>{line.total ?? "–"}</strong>
        </td>
      )}
      {!hasTotal && (
        <td>
          {first.result.played < first.result.holes
            ? names.of(String(first.result.played), String(first.result.holes))
            : first.result.holes}
        </td>
      )}
      <td>
        <StateChip state={last.state} hasWarnings={last.warnings.length > 0} />
      </td>
    </tr>
  );
}
