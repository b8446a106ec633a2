import { CardState } from "@scorecard-pipeline/scorecards-client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { dayIn, formatCount, formatDay } from "../../base/format.ts";
import { useLive } from "../../base/live.ts";
import { type CardFilter, toAddress } from "../../base/route.ts";
import { useSession } from "../../base/session.ts";
import { Choice } from "../../components/choice.tsx";
import { Failure, Loading, ViewTitle } from "../../components/notices.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { WindowedList } from "../../components/windowed-list.tsx";
import { texts } from "../../texts/texts.ts";
import { countIn, formatCounted } from "../overview/overview-notes.ts";
import { CardFilters } from "./card-filters.tsx";
import { useCardPages } from "./card-pages.ts";
import { CardRow } from "./card-row.tsx";
import { Search, SearchNote } from "./card-search.tsx";
import { isNamed, shouldReadOn } from "./keep-reading.ts";
import { useLatestStates } from "./latest-states.ts";
import { ListActions } from "./list-actions.tsx";

const attentionStates = [CardState.rejected, CardState.undelivered, CardState.retrying] as const;

/** Cards of a filter after which the list waits until it is scrolled. */
const rowsBeforeWaiting = 30;

/** Cards of a day, or those that need attention, and a search by ExternalID. */
export function CardsView({ filter }: { readonly filter: CardFilter }) {
  const { api, account } = useSession();
  const today = dayIn(account.timeZone, Date.now());
  // A state that the API lists by itself is listed whenever its cards were accepted, unless a day is named.
  const listed =
    filter.day === undefined ? attentionStates.find((state) => state === filter.state) : undefined;
  const day = filter.day ?? today;
  const from = filter.from ?? day;
  const { counted } = filter;
  const isOfDay = listed === undefined && counted === undefined;
  const ofDays = new URLSearchParams({ from, to: day, ...(counted !== undefined && { counted }) });
  const query = listed === undefined ? `?${ofDays}` : `?state=${listed}`;
  const [refreshes, setRefreshes] = useState(0);
  const [read, readNext] = useCardPages(query, refreshes, (next, signal) => api.cards(next, signal));
  const pages = useLatestStates(read, query);
  const [counts] = useLive(`counts ${from} ${day}`, listed === undefined ? 30 : 0, (signal) =>
    api.activity(from, day, signal),
  );
  const [stoppedFor, setStoppedFor] = useState<string>();
  const [enough, setEnough] = useState(rowsBeforeWaiting);

  const shown = useMemo(
    () =>
      pages.cards.filter(
        ({ externalId, state, warnings = [] }) =>
          (filter.state === undefined || state === filter.state) &&
          (filter.code === undefined || warnings.some(({ code }) => code === filter.code)) &&
          (filter.name === undefined || isNamed(externalId, filter.name)),
      ),
    [pages.cards, filter.state, filter.code, filter.name],
  );
  const codes = useMemo(() => {
    const found = pages.cards.flatMap(({ warnings = [] }) => warnings.map(({ code }) => code));
    return [...new Set([...found, ...(filter.code === undefined ? [] : [filter.code])])].sort();
  }, [pages.cards, filter.code]);
  const isFiltered =
    listed === undefined && [filter.state, filter.code, filter.name].some((chosen) => chosen !== undefined);
  const key = toAddress({ view: "cards", filter });
  const isStopped = stoppedFor === key;
  useEffect(() => setEnough(rowsBeforeWaiting), [key]);

  useEffect(() => {
    const { hasMore, isReading } = pages;
    const list = { read: pages.cards.length, found: shown.length, hasMore, isReading, isStopped, enough };
    if (isFiltered && shouldReadOn({ ...list, hasFailed: pages.failure !== undefined })) readNext();
  }, [isFiltered, isStopped, enough, shown.length, pages, readNext]);

  const change = (changes: Partial<Record<keyof CardFilter, string>>) => {
    const entries = Object.entries({ ...filter, day, ...changes }).filter(([, value]) => value !== "");
    location.hash = toAddress({ view: "cards", filter: Object.fromEntries(entries) });
  };
  const total = listed === undefined ? counts.data && countIn(counts.data, counted ?? "accepted") : undefined;

  return (
    <>
      <ViewTitle title={texts.cards.title} live={pages} refresh={() => setRefreshes((count) => count + 1)} />
      <Search today={today} name={filter.name} />
      {filter.name !== undefined && <SearchNote name={filter.name} from={from} today={today} />}
      <Choice
        label={texts.cards.show}
        options={[
          {
            text: texts.cards.ofDay,
            href: toAddress({ view: "cards", filter: {} }),
            isCurrent: isOfDay,
          },
          ...attentionStates.map((state) => ({
            text: texts.cards.inState[state],
            href: toAddress({ view: "cards", filter: { state } }),
            isCurrent: listed === state,
          })),
        ]}
      />
      {counted !== undefined && total !== undefined && (
        <p class="notice">
          <strong>{formatCounted(counted, total)}.</strong>{" "}
          {texts.cards.counted(formatDay(from), formatDay(day))}
        </p>
      )}
      {isOfDay && <CardFilters filter={filter} day={day} today={today} codes={codes} change={change} />}
      <Failure live={pages} retry={readNext} />
      {pages.cards.length === 0 && pages.isReading && <Loading />}
      {shown.length === 0 && isFiltered && pages.cards.length > 0 && pages.hasMore && (
        <p class="quiet list-note">
          {texts.cards.shown("0", formatCount(pages.cards.length))}
          {total !== undefined && ` (${texts.cards.all(formatCount(Math.max(total, pages.cards.length)))})`}
        </p>
      )}
      {(counted !== undefined ||
        filter.state !== undefined ||
        filter.name !== undefined ||
        filter.code !== undefined) && (
        <ListActions key={key} cards={shown} refresh={() => setRefreshes((count) => count + 1)} />
      )}
      {shown.length > 0 && (
        <>
          <p class="quiet list-note">
            {isFiltered
              ? texts.cards.shown(formatCount(shown.length), formatCount(pages.cards.length))
              : pages.hasMore && total !== undefined
                ? texts.cards.readFrom(
                    formatCount(pages.cards.length),
                    formatCount(Math.max(total, pages.cards.length)),
                  )
                : `${texts.cards.all(formatCount(shown.length))}${pages.hasMore ? "+" : ""}.`}{" "}
            {isOfDay ? texts.cards.order : listed !== undefined && texts.cards.newestFirst}
          </p>
          <div class="row-head" aria-hidden="true">
            <span>{texts.cards.columns.card}</span>
            <span>{texts.cards.columns.state}</span>
            <span>{texts.cards.columns.accepted}</span>
            <span>{texts.cards.columns.note}</span>
          </div>
          <WindowedList
            label={texts.cards.list}
            entries={shown}
            total={pages.hasMore ? undefined : shown.length}
            keyOf={({ externalId }) => externalId}
            row={(card) => <CardRow card={card} />}
            onEnd={() => {
              if (!pages.hasMore || pages.failure !== undefined) return;
              if (isFiltered) setEnough(shown.length + rowsBeforeWaiting);
              else readNext();
            }}
          />
        </>
      )}
      {shown.length === 0 &&
        !pages.isReading &&
        pages.failure === undefined &&
        (isStopped || !pages.hasMore) && (
          <p class="empty">
            {isFiltered
              ? pages.hasMore
                ? texts.cards.emptyStopped(formatCount(pages.cards.length))
                : texts.cards.emptyFilter
              : listed !== undefined
                ? texts.cards.emptyState[listed]
                : texts.cards[isOfDay ? "emptyDay" : "emptyFilter"]}
          </p>
        )}
      {isFiltered && pages.hasMore && (isStopped || shown.length < enough) && (
        <QuietButton onClick={() => setStoppedFor(isStopped ? undefined : key)}>
          {isStopped ? texts.cards.readMore : texts.cards.stop}
        </QuietButton>
      )}
      {pages.cards.length > 0 && pages.isReading && (
        <p class="loading" role="status">
          {texts.cards.reading}
        </p>
      )}
    </>
  );
}
