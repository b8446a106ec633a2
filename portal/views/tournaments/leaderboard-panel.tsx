import { CardState } from "@scorecard-pipeline/scorecards-client";
import { useState } from "preact/hooks";
import { formatCount, formatDay, formatHandicap } from "../../base/format.ts";
import { type Board, boards, type ShownTournament, toAddress } from "../../base/route.ts";
import { CardLink } from "../../components/card-link.tsx";
import { Choice } from "../../components/choice.tsx";
import { WideFigures } from "../../components/figures.tsx";
import { Loading } from "../../components/notices.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { StateChip } from "../../components/state-chip.tsx";
import { words } from "../../texts/tournaments/texts.ts";
import { type BoardLine, leaderboard, listRounds, readCounted } from "./leaderboard.ts";
import type { TournamentCards } from "./tournament-cards.ts";

const formatRound = (round: string) => (round.includes("-") ? formatDay(round) : words.board.round(round));

export function Leaderboard({
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
  const rounds = listRounds(cards.filter(({ state }) => state !== CardState.withdrawn));
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
            href: toAddress({ view: "tournament", shown: { ...shown, board: one } }),
            isCurrent: one === board,
          }))}
        />
        {rounds.length > 1 && (
          <Choice
            label={names.rounds}
            options={[
              {
                text: names.all,
                href: toAddress({ view: "tournament", shown: plain }),
                isCurrent: chosen === undefined,
              },
              ...rounds.map((one) => ({
                text: formatRound(one),
                href: toAddress({ view: "tournament", shown: { ...plain, round: one } }),
                isCurrent: one === chosen,
              })),
            ]}
          />
        )}
      </div>
      {hasMore && cards.length > 0 && (
        <p class="quiet" role="status">
          {isReading ? names.read(...counts) : names.first(...counts)}{" "}
          {!isReading && readAll !== undefined && <QuietButton onClick={readAll}>{names.rest}</QuietButton>}
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
  const [maxLines, setMaxLines] = useState(linesShown);
  const hasTotal = rounds.length > 1;
  return (
    <>
      <WideFigures
        class="leaders"
        labelledBy="board"
        headings={[
          names.place,
          names.player,
          names.handicap,
          ...rounds.map((round) => (hasTotal ? formatRound(round) : names.kinds[board])),
          hasTotal ? names.total : names.played,
          names.state,
        ]}
      >
        {lines.slice(0, isPrinted ? lines.length : maxLines).map((line) => (
          <BoardRow key={line.player} line={line} board={board} rounds={rounds} />
        ))}
      </WideFigures>
      {lines.length > maxLines && (
        <QuietButton onClick={() => setMaxLines(maxLines + 5 * linesShown)}>{words.more}</QuietButton>
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
        <CardLink externalId={last.externalId}>{last.playerName ?? last.externalId}</CardLink>
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
        const value = card && readCounted(card, board);
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
