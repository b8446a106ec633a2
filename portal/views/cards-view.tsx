import type { CardStatus } from "@scorecard-pipeline/scorecards-client";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Choice } from "../components/choice.tsx";
import { errorText, Failure, Loading, ViewTitle } from "../components/notices.tsx";
import { StateChip } from "../components/state-chip.tsx";
import { WindowedList } from "../components/windowed-list.tsx";
import { dayIn, formatCount, formatShortTime } from "../format.ts";
import { useLive } from "../live.ts";
import { addressOf, type CardFilter } from "../route.ts";
import { useSession } from "../session.ts";
import { texts } from "../texts/texts.ts";
import { type CardPages, useCardPages } from "./card-pages.ts";

const attentionStates = ["rejected", "undelivered", "retrying"] as const;
const allStates = ["queued", "retrying", "delivered", "rejected", "undelivered", "withdrawn"] as const;
/** Pages read in a row to find cards of a filter; then a person says whether to go on. */
const pagesAtOnce = 10;
const enoughRows = 30;
/** Most cards in one request. */
const cardsAsked = 100;

/** Cards of a day, or those that need attention, and a search by ExternalID. */
export function CardsView({ filter }: { readonly filter: CardFilter }) {
  const { api, account } = useSession();
  const today = dayIn(account.timeZone, Date.now());
  // A state that the API lists by itself is listed whenever its cards were accepted, unless a day is named.
  const listed =
    filter.day === undefined ? attentionStates.find((state) => state === filter.state) : undefined;
  const day = filter.day ?? today;
  const from = filter.from ?? day;
  const query = listed === undefined ? `?${new URLSearchParams({ from, to: day })}` : `?state=${listed}`;
  const [refreshes, setRefreshes] = useState(0);
  const [read, readNext] = useCardPages(query, refreshes, (next, signal) => api.cards(next, signal));
  const pages = useLatestStates(read, query);
  const [counts] = useLive(`counts ${from} ${day}`, listed === undefined ? 30 : 0, (signal) =>
    api.activity(from, day, signal),
  );
  const [pagesAsked, setPagesAsked] = useState(pagesAtOnce);

  const shown = useMemo(
    () =>
      pages.cards.filter(
        ({ state, warnings = [] }) =>
          (filter.state === undefined || state === filter.state) &&
          (filter.code === undefined || warnings.some(({ code }) => code === filter.code)),
      ),
    [pages.cards, filter.state, filter.code],
  );
  const codes = useMemo(() => {
    const found = pages.cards.flatMap(({ warnings = [] }) => warnings.map(({ code }) => code));
    return [...new Set([...found, ...(filter.code === undefined ? [] : [filter.code])])].sort();
  }, [pages.cards, filter.code]);
  const isFiltered = listed === undefined && (filter.state !== undefined || filter.code !== undefined);
  const pagesRead = pages.cards.length / 100;

  useEffect(() => {
    if (
      isFiltered &&
      shown.length < enoughRows &&
      pages.hasMore &&
      !pages.isReading &&
      pages.failure === undefined
    ) {
      if (pagesRead < pagesAsked) readNext();
    }
  }, [isFiltered, shown.length, pages, pagesRead, pagesAsked, readNext]);

  const change = (changes: Partial<Record<keyof CardFilter, string>>) => {
    const entries = Object.entries({ ...filter, day, ...changes }).filter(([, value]) => value !== "");
    location.hash = addressOf({ view: "cards", filter: Object.fromEntries(entries) });
  };
  const total = listed === undefined ? counts.data?.totals.accepted : undefined;

  return (
    <>
      <ViewTitle title={texts.cards.title} live={pages} refresh={() => setRefreshes((count) => count + 1)} />
      <Search />
      <Choice
        label={texts.cards.show}
        options={[
          {
            text: texts.cards.ofDay,
            href: addressOf({ view: "cards", filter: {} }),
            isCurrent: listed === undefined,
          },
          ...attentionStates.map((state) => ({
            text: texts.cards.inState[state],
            href: addressOf({ view: "cards", filter: { state } }),
            isCurrent: listed === state,
          })),
        ]}
      />
      {listed === undefined && (
        <div class="filters">
          <label>
            {texts.cards.day}
            <input
              type="date"
              value={day}
              max={today}
              onChange={(event) => {
                if (event.currentTarget.value !== "") change({ from: "", day: event.currentTarget.value });
              }}
            />
          </label>
          <label>
            {texts.cards.state}
            <select onChange={(event) => change({ state: event.currentTarget.value })}>
              <option value="">{texts.cards.anyState}</option>
              {allStates.map((state) => (
                <option key={state} value={state} selected={state === filter.state}>
                  {texts.states[state]}
                </option>
              ))}
            </select>
          </label>
          <label>
            {texts.cards.code}
            <select onChange={(event) => change({ code: event.currentTarget.value })}>
              <option value="">{texts.cards.anyCode}</option>
              {codes.map((code) => (
                <option key={code} value={code} selected={code === filter.code}>
                  {code}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      <Failure live={pages} retry={readNext} />
      {pages.cards.length === 0 && pages.isReading && <Loading />}
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
            {listed === undefined ? texts.cards.order : texts.cards.newestFirst}
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
              if (!isFiltered && pages.hasMore && pages.failure === undefined) readNext();
            }}
          />
        </>
      )}
      {shown.length === 0 && !pages.isReading && pages.failure === undefined && (
        <p class="empty">
          {isFiltered
            ? texts.cards.emptyFilter
            : listed === undefined
              ? texts.cards.emptyDay
              : texts.cards.emptyState[listed]}
        </p>
      )}
      {isFiltered && pages.hasMore && !pages.isReading && pagesRead >= pagesAsked && (
        <button type="button" class="quiet-button" onClick={() => setPagesAsked(pagesRead + pagesAtOnce)}>
          {texts.cards.readMore}
        </button>
      )}
      {pages.cards.length > 0 && pages.isReading && (
        <p class="loading" role="status">
          {texts.cards.reading}
        </p>
      )}
    </>
  );
}

/** Cards as they were read, with the latest states of those that waited: the first hundred of them are asked for again and again. */
function useLatestStates(pages: CardPages, query: string): CardPages {
  const { api } = useSession();
  const latest = useRef({ query, states: new Map<string, CardStatus>() });
  if (latest.current.query !== query) latest.current = { query, states: new Map() };
  const { states } = latest.current;
  const known = (card: CardStatus) => {
    const other = states.get(card.externalId);
    return other !== undefined && (other.version ?? 0) >= (card.version ?? 0) ? other : card;
  };
  const waiting = pages.cards
    .filter((card) => /^(queued|retrying)$/.test(known(card).state))
    .slice(0, cardsAsked);
  const [live] = useLive(
    `states ${query} ${waiting.length > 0}`,
    waiting.length > 0 ? 5 : 0,
    async (signal) => {
      if (waiting.length === 0) return [];
      const names = new URLSearchParams(waiting.map(({ externalId }) => ["ExternalID", externalId]));
      const { cards } = await api.cards(`?${names}`, signal);
      for (const card of cards) states.set(card.externalId, card);
      return cards;
    },
  );
  return useMemo(() => ({ ...pages, cards: pages.cards.map(known) }), [pages, live.at]);
}

function Search() {
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          const externalId = String(new FormData(event.currentTarget).get("externalId") ?? "").trim();
          if (externalId !== "") location.hash = addressOf({ view: "card", externalId });
        }}
      >
        <label for="search">{texts.cards.search}</label>
        <input
          id="search"
          name="externalId"
          type="search"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <button type="submit">{texts.cards.find}</button>
      </form>
    </search>
  );
}

function CardRow({ card }: { readonly card: CardStatus }) {
  const { externalId, state, acceptedAt, attempts, lastError, warnings = [] } = card;
  const notes = [
    ...(lastError === undefined ? [] : [errorText(lastError)]),
    ...(warnings.length > 0 ? [texts.cards.warnings(warnings.length)] : []),
    ...(attempts !== undefined && attempts > 1 ? [texts.cards.attempts(attempts)] : []),
  ];
  return (
    <a href={addressOf({ view: "card", externalId })}>
      <span class="row-name">{externalId}</span>
      <StateChip state={state} />
      <span class="row-time">{acceptedAt !== undefined && formatShortTime(acceptedAt)}</span>
      <span class={warnings.length > 0 || lastError !== undefined ? "row-note marked" : "row-note"}>
        {notes.join(" · ")}
      </span>
    </a>
  );
}
