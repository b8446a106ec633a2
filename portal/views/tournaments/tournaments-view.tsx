import type { TournamentSummary } from "@scorecard-pipeline/scorecards-client";
import { dayIn, daysBefore } from "../../base/format.ts";
import { type TournamentPeriod, toAddress, tournamentDays } from "../../base/route.ts";
import { useSession } from "../../base/session.ts";
import { Choice } from "../../components/choice.tsx";
import { Empty, ViewTitle } from "../../components/notices.tsx";
import { PagedList, usePages } from "../../components/paged-list.tsx";
import { texts } from "../../texts/texts.ts";
import { words } from "../../texts/tournaments/texts.ts";
import { TournamentPanel, type TournamentRow } from "./tournament-panel.tsx";

const secondsBetween = 10;

/** The days of each tournament together, the latest first. */
const listed = (all: readonly TournamentSummary[]): TournamentRow[] =>
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
  const read = usePages(query, secondsBetween, api.tournaments, ({ tournaments }) => tournaments);
  const pages = { ...read, entries: listed(read.entries) };
  const change = (changes: Partial<TournamentPeriod>): string =>
    toAddress({ view: "tournaments", period: { ...period, ...changes } });
  return (
    <>
      <ViewTitle title={texts.nav.tournaments} live={pages} refresh={pages.refresh}>
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
            max={today}
            onChange={({ currentTarget: { value } }) => {
              if (value !== "") location.hash = change({ to: value });
            }}
          />
        </label>
      </div>
      <PagedList
        kind="tournaments"
        label={words.list}
        pages={pages}
        keyOf={({ id }) => id}
        row={(one) => <TournamentPanel tournament={one} />}
        empty={
          <Empty title={words.none.title}>
            <p>{words.none.text}</p>
            <a href="#/send">{texts.nav.send}</a>
          </Empty>
        }
      />
    </>
  );
}
