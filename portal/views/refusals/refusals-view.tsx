import type { CardRefusal, Refusal } from "@scorecard-pipeline/scorecards-client";
import { dayIn, daysBefore, formatCount, formatShortTime } from "../../base/format.ts";
import { useLive } from "../../base/live.ts";
import { type RefusalDays, refusalDays, toAddress } from "../../base/route.ts";
import { useSession } from "../../base/session.ts";
import { CardLink } from "../../components/card-link.tsx";
import { Choice } from "../../components/choice.tsx";
import { Remedy, ShortMeaning } from "../../components/meaning.tsx";
import { Empty, ReadState, ViewTitle } from "../../components/notices.tsx";
import { PagedList, usePages } from "../../components/paged-list.tsx";
import { ForDeveloper, RefusalFault } from "../../components/refusal-fault.tsx";
import { RefusedIn } from "../../components/refused-in.tsx";
import { texts } from "../../texts/texts.ts";

/** Faults of refused cards with what was sent, page by page. @param query `?from=…&to=…` and what else the API takes */
function RefusalList({ query }: { readonly query: string }) {
  const { api } = useSession();
  const pages = usePages(query, 0, api.refusals, ({ refusals }) => refusals);
  return (
    <PagedList
      kind="findings refused-cards"
      label={texts.refusals.title}
      pages={pages}
      keyOf={(_, place) => String(place)}
      row={(refusal) => <RefusedCard refusal={refusal} />}
      empty={null}
    />
  );
}

function RefusedCard({ refusal }: { readonly refusal: CardRefusal }) {
  const { externalId, at, requestId, index, tournament } = refusal;
  return (
    <>
      <p>
        <CardLink externalId={externalId} /> <time dateTime={at}>{formatShortTime(at)}</time>{" "}
        <span class="quiet">{texts.refusals.request(requestId, index)}</span>
      </p>
      <RefusedIn tournament={tournament} />
      <RefusalFault fault={refusal} isExplained />
    </>
  );
}

/** Why cards were refused, by fault. @param code the fault that is shown first */
export function RefusalsView({
  days,
  code,
}: {
  readonly days: RefusalDays;
  readonly code: string | undefined;
}) {
  const { api, account } = useSession();
  const today = dayIn(account.timeZone, Date.now());
  const from = daysBefore(today, days - 1);
  const [live, refresh] = useLive(String(days), 10, (signal) => api.activity(from, today, signal));
  const refusals = live.data?.refusals ?? [];
  const maxCards = Math.max(1, ...refusals.map(({ cards }) => cards));
  const ordered = [...refusals].sort((one, other) => Number(other.code === code) - Number(one.code === code));
  return (
    <>
      <ViewTitle title={texts.refusals.title} live={live} refresh={refresh}>
        <Choice
          label={texts.refusals.period}
          options={refusalDays.map((one) => ({
            text: texts.refusals.days[one],
            href: toAddress({ view: "refusals", days: one, ...(code !== undefined && { code }) }),
            isCurrent: one === days,
          }))}
        />
      </ViewTitle>
      <p class="quiet">{texts.refusals.about}</p>
      <ReadState live={live} retry={refresh} />
      {live.data !== undefined && refusals.length === 0 && (
        <Empty title={texts.refusals.none.title}>
          <p>{texts.refusals.none.text}</p>
        </Empty>
      )}
      {ordered.map((refusal) => (
        <RefusalPanel
          key={refusal.code}
          refusal={refusal}
          share={refusal.cards / maxCards}
          days={days}
          {...(refusal.code === code && { list: `?${new URLSearchParams({ from, to: today, code })}` })}
        />
      ))}
    </>
  );
}

interface RefusalPanelProps {
  readonly refusal: Refusal;
  readonly share: number;
  readonly days: RefusalDays;
  readonly list?: string;
}

/** @param list query of all refusals of this fault, if they are to be shown */
function RefusalPanel({ refusal, share, days, list }: RefusalPanelProps) {
  const { code, cards } = refusal;
  return (
    <section class="panel refusal" aria-labelledby={`refusal-${code}`}>
      <div class="refusal-head">
        <h2 id={`refusal-${code}`}>
          <ShortMeaning code={code} />
        </h2>
        <p>{texts.refusals.cards(formatCount(cards))}</p>
      </div>
      <div class="share" aria-hidden="true">
        <span style={{ width: `${Math.max(1, share * 100)}%` }} />
      </div>
      <p>
        <Remedy code={code} />
      </p>
      <ForDeveloper finding={{ code }} />
      {list === undefined ? (
        <p>
          <a href={toAddress({ view: "refusals", days, code })}>{texts.refusals.all}</a>
        </p>
      ) : (
        <RefusalList query={list} />
      )}
    </section>
  );
}
