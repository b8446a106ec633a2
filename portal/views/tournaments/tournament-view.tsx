import { CardState, type Tournament } from "@scorecard-pipeline/scorecards-client";
import { useEffect, useState } from "preact/hooks";
import { isRefusal } from "../../base/api.ts";
import { formatCount, formatDay, formatTime } from "../../base/format.ts";
import { useLive } from "../../base/live.ts";
import { type ShownTournament, toAddress } from "../../base/route.ts";
import { useSession } from "../../base/session.ts";
import { CardLink } from "../../components/card-link.tsx";
import { isMadeName } from "../../components/made-name.ts";
import { ShortMeaning } from "../../components/meaning.tsx";
import { Empty, Failure, Loading, ViewTitle } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { StateChip } from "../../components/state-chip.tsx";
import { texts } from "../../texts/texts.ts";
import { words } from "../../texts/tournaments/texts.ts";
import { ToMend } from "./refused-cards.tsx";
import { type TournamentCards, useTournamentCards } from "./tournament-cards.ts";
import { Progress, Rounds, Warnings } from "./tournament-progress.tsx";

const secondsBetween = 4;

const playedOn = ({ from, to }: Pick<Tournament, "from" | "to">) =>
  from === to ? words.onDays(formatDay(from)) : words.onDaysFrom(formatDay(from), formatDay(to));

/** What became of a tournament's cards, while they arrive and afterwards. */
export function TournamentView({ shown }: { readonly shown: ShownTournament }) {
  const { api, account } = useSession();
  const { id, from, to } = shown;
  const query = `?${new URLSearchParams({ from, to })}`;
  const [live, refresh] = useLive(`${id} ${query}`, secondsBetween, (signal) =>
    api.tournament(id, query, signal),
  );
  const [readsAll, setReadsAll] = useState(false);
  const { data } = live;
  const [read, readAgain] = useTournamentCards(
    id,
    query,
    data && JSON.stringify([data.totals, data.rounds, data.warnings]),
    readsAll,
  );
  // A paper with some of the cards would look whole.
  const [isPrinting, setPrinting] = useState(false);
  const printReport = () => {
    setReadsAll(true);
    setPrinting(true);
  };
  useEffect(() => {
    if (!isPrinting || (read.hasMore && read.failure === undefined)) return;
    setPrinting(false);
    if (read.failure === undefined) print();
  }, [isPrinting, read]);
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
            <QuietButton disabled={isPrinting} onClick={printReport}>
              {words.print}
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
          {read.failure !== undefined && <Failure live={{ failure: read.failure }} retry={readAgain} />}
          <ToLookAt
            read={read}
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

/** Cards that are not delivered, or have a warning. */
function ToLookAt({
  read: { cards, isReading, hasMore },
  all,
  readAll,
}: {
  readonly read: TournamentCards;
  readonly all: number;
  readonly readAll: (() => void) | undefined;
}) {
  const found = cards.filter(({ state, warnings }) =>
    state === CardState.delivered ? warnings.length > 0 : state !== CardState.withdrawn,
  );
  const isPart = hasMore && cards.length > 0;
  if (found.length === 0 && !isPart) return null;
  const names = words.look;
  const counts = [formatCount(cards.length), formatCount(Math.max(all, cards.length))] as const;
  return (
    <Panel id="to-look-at" title={names.title}>
      <p class="quiet">{names.about}</p>
      {isPart && (
        <p class="quiet" role="status">
          {isReading ? names.read(...counts) : names.first(...counts)}{" "}
          {!isReading && readAll !== undefined && <QuietButton onClick={readAll}>{names.rest}</QuietButton>}
        </p>
      )}
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
