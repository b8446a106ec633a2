import { CardState, type Tournament, type TournamentCard } from "@scorecard-pipeline/scorecards-client";
import { useEffect, useState } from "preact/hooks";
import { isRefusal } from "../../base/api.ts";
import { formatDay, formatTime } from "../../base/format.ts";
import { useLive } from "../../base/live.ts";
import { type ShownTournament, toAddress } from "../../base/route.ts";
import { useSession } from "../../base/session.ts";
import { CardLink } from "../../components/card-link.tsx";
import { isMadeName } from "../../components/made-name.ts";
import { ShortMeaning } from "../../components/meaning.tsx";
import { Empty, Failure, Loading, ViewTitle } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { saveFile } from "../../components/save-file.ts";
import { StateChip } from "../../components/state-chip.tsx";
import { locale, texts } from "../../texts/texts.ts";
import { words } from "../../texts/tournaments/texts.ts";
import { Leaderboard } from "./leaderboard-panel.tsx";
import { MissingCards } from "./missing-cards.tsx";
import { ToMend } from "./refused-cards.tsx";
import { useTournamentCards } from "./tournament-cards.ts";
import { chooseSeparator, writeTournamentCsv } from "./tournament-csv.ts";
import { choosePace, minPaceSeconds } from "./tournament-pace.ts";
import { Progress, Rounds, Warnings } from "./tournament-progress.tsx";

const playedOn = ({ from, to }: Pick<Tournament, "from" | "to">) =>
  from === to ? words.onDays(formatDay(from)) : words.onDaysFrom(formatDay(from), formatDay(to));

/** What became of a tournament's cards, while they arrive and afterwards. */
export function TournamentView({ shown }: { readonly shown: ShownTournament }) {
  const { api, account } = useSession();
  const { id, from, to } = shown;
  const query = `?${new URLSearchParams({ from, to })}`;
  const [pace, setPace] = useState(minPaceSeconds);
  const [live, refresh] = useLive(`${id} ${query}`, pace, (signal) => api.tournament(id, query, signal));
  const [readsAll, setReadsAll] = useState(false);
  const { data } = live;
  useEffect(() => {
    if (data !== undefined) setPace(choosePace(data));
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
  // A file or a paper with some of the cards would look whole.
  const [wanted, setWanted] = useState<"save" | "print">();
  const want = (what: "save" | "print") => {
    if (read.hasMore) setReadsAll(true);
    setWanted(what);
  };
  useEffect(() => {
    if (wanted === undefined || (read.hasMore && read.failure === undefined)) return;
    setWanted(undefined);
    if (data === undefined || read.failure !== undefined) return;
    if (wanted === "save") save(data, read.cards);
    else setPrinting(true);
  }, [wanted, read, data]);
  const isMissing = isRefusal(live.failure, 404);
  return (
    <>
      <p class="back">
        <a href={toAddress({ view: "tournaments", period: { days: 31 } })}>{words.back}</a>
      </p>
      <ViewTitle
        title={data === undefined ? texts.nav.tournament : (data.name ?? words.nameless)}
        live={live}
        refresh={refresh}
      >
        {data !== undefined && (
          <p class="actions">
            <QuietButton disabled={wanted !== undefined} onClick={() => want("print")}>
              {words.print}
            </QuietButton>
            <QuietButton
              disabled={read.isReading || read.failure !== undefined || wanted !== undefined}
              onClick={() => want("save")}
            >
              {words.save}
            </QuietButton>
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
  const table = writeTournamentCsv(cards, refused.latest, {
    words: words.csv,
    stateText: (state) => texts.states[state] ?? state,
    separator: chooseSeparator(locale),
  });
  // Only letters and digits: what else a name has, some file systems do not take.
  const plain = (name ?? words.csv.file).replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
  saveFile(table, `${plain || words.csv.file}-${from}.csv`);
}

/** Cards that are not delivered, or have a warning. */
function ToLookAt({ cards }: { readonly cards: readonly TournamentCard[] }) {
  const found = cards.filter(({ state, warnings }) =>
    state === CardState.delivered ? warnings.length > 0 : state !== CardState.withdrawn,
  );
  if (found.length === 0) return null;
  const names = words.look;
  return (
    <Panel id="to-look-at" title={names.title}>
      <p class="quiet">{names.about}</p>
      <ul class="look">
        {found.map((card) => (
          <li key={card.externalId}>
            <span>
              <CardLink externalId={card.externalId}>{card.playerName ?? card.externalId}</CardLink>
              {card.playerName !== undefined && !isMadeName(card.externalId) && (
                <small class="quiet"> {card.externalId}</small>
              )}
            </span>
            <StateChip state={card.state} hasWarnings={card.warnings.length > 0} />
            <span>
              {card.warnings.map((code) => (
                <span key={code} class="quiet">
                  <ShortMeaning code={code} />.{" "}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
