import type { TournamentList, TournamentSummary } from "@scorecard-pipeline/scorecards-client";
import { useEffect, useState } from "preact/hooks";
import { Choice } from "../../components/choice.tsx";
import { Empty, Failure, Loading, ViewTitle } from "../../components/notices.tsx";
import { dayIn, daysBefore, formatCount, formatDay } from "../../format.ts";
import { useLive } from "../../live.ts";
import { addressOf, type TournamentPeriod, tournamentDays } from "../../route.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/texts.ts";
import { words } from "../../texts/tournaments/texts.ts";

const secondsBetween = 10;

/** A tournament with all of its days that are listed. */
interface ListedTournament {
  readonly id: string;
  readonly name: string | undefined;
  readonly days: readonly TournamentSummary[];
}

/** The days of each tournament together, the latest first. */
const listed = (all: readonly TournamentSummary[]): ListedTournament[] =>
  [...Map.groupBy(all, ({ id }) => id)].map(([id, days]) => ({
    id,
    name: days.find(({ name }) => name !== undefined)?.name,
    days,
  }));

/** A vendor's tournaments of some days. */
export function TournamentsView({ period }: { readonly period: TournamentPeriod }) {
  const { api, account } = useSession();
  const today = dayIn(account.timeZone, Date.now());
  const to = period.to ?? today;
  const query = `?${new URLSearchParams({ from: daysBefore(to, period.days - 1), to })}`;
  const [live, refresh] = useLive(query, secondsBetween, (signal) => api.tournaments(query, signal));
  const [more, setMore] = useState<readonly TournamentList[]>([]);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => setMore([]), [query]);
  const next = more.length === 0 ? live.data?.next : more.at(-1)?.next;
  const readMore = () => {
    if (next === undefined) return;
    setFailure(undefined);
    api
      .tournaments(next)
      .then((page) => setMore((before) => [...before, page]))
      .catch(setFailure);
  };
  const all = [live.data, ...more].flatMap((page) => page?.tournaments ?? []);
  const change = (changes: Partial<TournamentPeriod>): string =>
    addressOf({ view: "tournaments", period: { ...period, ...changes } });
  return (
    <>
      <ViewTitle title={texts.nav.tournaments} live={live} refresh={refresh}>
        <Choice
          label={words.period}
          options={tournamentDays.map((days) => ({
            text: words.days[days] ?? String(days),
            href: change({ days }),
            isCurrent: days === period.days,
          }))}
        />
      </ViewTitle>
      <p class="quiet">{words.about}</p>
      <div class="filters">
        <label>
          {words.to}
          <input
            type="date"
            value={to}
            max={daysBefore(today, -daysAhead)}
            onChange={({ currentTarget: { value } }) => {
              if (value !== "") location.hash = change({ to: value });
            }}
          />
        </label>
      </div>
      {period.to === undefined && <Upcoming today={today} />}
      <Failure live={failure === undefined ? live : { ...live, failure }} retry={refresh} />
      {live.data === undefined && live.failure === undefined && <Loading />}
      {live.data !== undefined && all.length === 0 && (
        <Empty title={words.none.title}>
          <p>{words.none.text}</p>
        </Empty>
      )}
      {all.length > 0 && (
        <ul class="tournaments" aria-label={words.list}>
          {listed(all).map((one) => (
            <li key={one.id}>
              <TournamentPanel tournament={one} />
            </li>
          ))}
        </ul>
      )}
      {next !== undefined && (
        <button type="button" class="quiet-button" onClick={readMore}>
          {words.more}
        </button>
      )}
    </>
  );
}

/** How far ahead start lists are sent. */
const daysAhead = 30;
const secondsBetweenUpcoming = 60;

/** Tournaments of the days to come: those of which a start list was sent. */
function Upcoming({ today }: { readonly today: string }) {
  const { api } = useSession();
  const days = { from: daysBefore(today, -1), to: daysBefore(today, -daysAhead) };
  const query = `?${new URLSearchParams(days)}`;
  const [{ data }] = useLive(query, secondsBetweenUpcoming, (signal) => api.tournaments(query, signal));
  // One that has begun is listed below.
  const upcoming = data?.tournaments.filter(({ day, startList }) => (startList?.from ?? day) > today) ?? [];
  if (upcoming.length === 0) return null;
  return (
    <section aria-labelledby="upcoming">
      <h2 id="upcoming">{words.upcoming}</h2>
      <ul class="tournaments" aria-labelledby="upcoming">
        {listed(upcoming)
          .toReversed()
          .map((one) => (
            <li key={one.id}>
              <TournamentPanel tournament={one} />
            </li>
          ))}
      </ul>
    </section>
  );
}

function TournamentPanel({ tournament }: { readonly tournament: ListedTournament }) {
  const { id, name, days } = tournament;
  const lists = days.flatMap(({ startList }) => startList ?? []);
  const played = [...days.map(({ day }) => day), ...lists.flatMap((list) => [list.from, list.to])].toSorted();
  const [from = "", to = ""] = [played[0], played.at(-1)];
  const sum = (count: (day: TournamentSummary) => number) => days.reduce((all, day) => all + count(day), 0);
  const sent = sum(({ cards, withdrawn }) => cards - withdrawn);
  const delivered = sum((day) => day.delivered);
  const failed = sum(({ rejected, undelivered }) => rejected + undelivered);
  const refused = sum((day) => day.refused);
  const recorded = sum((day) => day.recorded);
  const isOneDay = from === to;
  const [expected] = lists.map(({ players }) => players).toSorted((one, other) => other - one);
  return (
    <article class="panel">
      <h2>
        <a href={addressOf({ view: "tournament", shown: { id, from, to, board: "points" } })}>
          {name ?? words.nameless}
        </a>
      </h2>
      <p class="quiet">
        {isOneDay ? words.onDays(formatDay(from)) : words.onDaysFrom(formatDay(from), formatDay(to))}
      </p>
      <ProgressBar sent={sent} delivered={delivered} failed={failed} />
      <p class="counts">
        <span>{words.sent(formatCount(sent))}</span>
        <span>{words.deliveredCards(formatCount(delivered))}</span>
        {recorded > 0 && <span>{words.inRecords(formatCount(recorded))}</span>}
        {refused > 0 && <strong class="bad">{words.refusedCards(formatCount(refused))}</strong>}
        {failed > 0 && <strong class="bad">{words.notDelivered(formatCount(failed))}</strong>}
        {expected !== undefined && (
          <span>
            {sent === 0
              ? words.missingCards(formatCount(expected))
              : words.expectedPlayers(formatCount(expected))}
          </span>
        )}
      </p>
    </article>
  );
}

/** How much of a tournament is delivered, as a bar; the counts beside it say the same. */
export function ProgressBar({
  sent,
  delivered,
  failed,
}: {
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
}) {
  const share = (count: number) => `${sent === 0 ? 0 : (100 * count) / sent}%`;
  return (
    <div class="progress" aria-hidden="true">
      <span class="done" style={{ width: share(delivered) }} />
      <span class="failed" style={{ width: share(failed) }} />
    </div>
  );
}
