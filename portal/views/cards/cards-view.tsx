import { CardState, type CardStatus } from "@scorecard-pipeline/scorecards-client";
import { dayIn, formatCount, formatDay, formatShortTime } from "../../base/format.ts";
import { useLive } from "../../base/live.ts";
import { type CardFilter, toAddress } from "../../base/route.ts";
import { maySee, useSession } from "../../base/session.ts";
import { useNameOfCard } from "../../base/use-player-name.ts";
import { Choice } from "../../components/choice.tsx";
import { NameFirst } from "../../components/name-first.tsx";
import { errorText, ViewTitle } from "../../components/notices.tsx";
import { PagedList, usePages } from "../../components/paged-list.tsx";
import { StateChip } from "../../components/state-chip.tsx";
import { texts } from "../../texts/texts.ts";
import { countIn, formatCounted } from "../overview/overview-notes.ts";
import { CardFilters } from "./card-filters.tsx";
import { ListActions } from "./list-actions.tsx";

/** A card in a list of them. */
function CardRow({ card }: { readonly card: CardStatus }) {
  const { externalId, version, state, acceptedAt, attempts, lastError, warnings = [] } = card;
  const name = useNameOfCard(externalId, version);
  const notes = [
    ...(lastError === undefined ? [] : [errorText(lastError)]),
    ...(warnings.length > 0 ? [texts.cards.warnings(warnings.length)] : []),
    ...(attempts !== undefined && attempts > 1 ? [texts.cards.attempts(attempts)] : []),
  ];
  return (
    <a href={toAddress({ view: "card", externalId })}>
      <span class="row-name">
        <NameFirst name={name} externalId={externalId} />
      </span>
      <StateChip state={state} hasWarnings={warnings.length > 0} />
      <span class="row-time">{acceptedAt !== undefined && formatShortTime(acceptedAt)}</span>
      <span class={warnings.length > 0 || lastError !== undefined ? "row-note marked" : "row-note"}>
        {notes.join(" · ")}
      </span>
    </a>
  );
}

const secondsBetween = 5;
const attentionStates = [CardState.rejected, CardState.undelivered, CardState.retrying] as const;

/** Cards of a day, or those that need attention. */
export function CardsView({ filter }: { readonly filter: CardFilter }) {
  const { api, account } = useSession();
  const today = dayIn(account.timeZone, Date.now());
  const listed = attentionStates.find((state) => state === filter.state);
  const { day = today, counted } = filter;
  const from = filter.from ?? day;
  const ofDays = new URLSearchParams({ from, to: day, ...(counted !== undefined && { counted }) });
  const query = listed === undefined ? `?${ofDays}` : `?state=${listed}`;
  const read = usePages(query, secondsBetween, api.cards, ({ cards }) => cards);
  // A card that moved to a later page while the list was read is shown once.
  const byName = new Map(read.entries.map((card) => [card.externalId, card]));
  const pages = { ...read, entries: [...byName.values()] };
  const [counts] = useLive(`counts ${from} ${day}`, listed === undefined ? 30 : 0, (signal) =>
    api.activity(from, day, signal),
  );
  const isWholeDay = listed === undefined && counted === undefined;
  const total = listed === undefined ? counts.data && countIn(counts.data, counted ?? "accepted") : undefined;
  const show = (changed: CardFilter) => {
    location.hash = toAddress({ view: "cards", filter: changed });
  };
  return (
    <>
      <ViewTitle title={texts.cards.title} live={pages} refresh={pages.refresh} />
      <Choice
        label={texts.cards.show}
        options={[
          {
            text: texts.cards.ofDay,
            href: toAddress({ view: "cards", filter: {} }),
            isCurrent: isWholeDay,
          },
          ...attentionStates.map((state) => ({
            text: texts.cards.inState[state],
            href: toAddress({ view: "cards", filter: { state } }),
            isCurrent: listed === state,
          })),
        ]}
      />
      {listed === undefined && (
        <CardFilters
          day={day}
          today={today}
          counted={counted}
          counts={counts.data}
          change={(changes) => {
            const name = changes.counted ?? counted;
            const days = changes.day === undefined ? { from, day } : { day: changes.day };
            show({ ...days, ...(name !== undefined && name !== "" && { counted: name }) });
          }}
        />
      )}
      {counted !== undefined && total !== undefined && (
        <p class="notice">
          <strong>{formatCounted(counted, total)}.</strong>{" "}
          {texts.cards.counted(formatDay(from), formatDay(day))}
        </p>
      )}
      <ListActions key={query} cards={pages.entries} refresh={pages.refresh} />
      {pages.entries.length > 0 && (
        <>
          <p class="quiet list-note">
            {pages.hasMore && total !== undefined
              ? texts.cards.readFrom(
                  formatCount(pages.entries.length),
                  formatCount(Math.max(total, pages.entries.length)),
                )
              : `${texts.cards.all(formatCount(pages.entries.length))}${pages.hasMore ? "+" : ""}.`}{" "}
            {isWholeDay ? texts.cards.order : listed !== undefined && texts.cards.newestFirst}
          </p>
          <div class="row-head" aria-hidden="true">
            <span>{texts.cards.columns.card}</span>
            <span>{texts.cards.columns.state}</span>
            <span>{texts.cards.columns.accepted}</span>
            <span>{texts.cards.columns.note}</span>
          </div>
        </>
      )}
      <PagedList
        key={query}
        kind="rows"
        readsOn
        label={texts.cards.list}
        pages={pages}
        keyOf={({ externalId }) => externalId}
        row={(card) => <CardRow card={card} />}
        empty={
          <p class="empty">
            {listed !== undefined
              ? texts.cards.emptyState[listed]
              : texts.cards[isWholeDay ? "emptyDay" : "emptyFilter"]}{" "}
            {isWholeDay && maySee(account, "send") && <a href="#/send">{texts.nav.send}</a>}
          </p>
        }
      />
    </>
  );
}
