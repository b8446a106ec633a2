import { type Activity, CardState, type Webhook } from "@scorecard-pipeline/scorecards-client";
import { formatCount, formatDay, formatDuration } from "../../base/format.ts";
import { useLive } from "../../base/live.ts";
import { type Range, ranges, toAddress } from "../../base/route.ts";
import { maySee, useSession } from "../../base/session.ts";
import { Choice } from "../../components/choice.tsx";
import { Figures } from "../../components/figures.tsx";
import { Empty, Failure, Loading, PausedNotice, ViewTitle } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { Tile } from "../../components/tile.tsx";
import { locale, texts } from "../../texts/texts.ts";
import { ActivityChart } from "./activity-chart.tsx";
import { countAttention } from "./attention-counts.ts";
import { type ChartData, type ChartRow, createChartData, daysToAskFor } from "./chart-data.ts";
import { formatCounted, formatDelivered, formatWaiting } from "./overview-notes.ts";

const secondsBetween = 5;

/** A vendor's activity, and the cards that wait. */
export function OverviewView({ range }: { readonly range: Range }) {
  const { api, account } = useSession();
  const [live, refresh] = useLive(range, secondsBetween, (signal) => {
    const { from, to } = daysToAskFor(range, account.timeZone, Date.now());
    return api.activity(from, to, signal);
  });
  return (
    <>
      <ViewTitle title={texts.overview.title} live={live} refresh={refresh}>
        <Choice
          label={texts.overview.range}
          options={ranges.map((one) => ({
            text: texts.overview.ranges[one],
            href: toAddress({ view: "overview", range: one }),
            isCurrent: one === range,
          }))}
        />
      </ViewTitle>
      <Failure live={live} retry={refresh} />
      <FailingEndpoints />
      {live.data === undefined ? (
        live.failure === undefined && <Loading />
      ) : (
        <ActivityPage activity={live.data} range={range} now={live.at ?? Date.now()} />
      )}
    </>
  );
}

const secondsBetweenEndpoints = 60;

/** A notice while an endpoint takes no events, since nobody looks at endpoints as long as they work. */
function FailingEndpoints() {
  const { api } = useSession();
  const [{ data = [] }] = useLive("endpoints", secondsBetweenEndpoints, (signal) => api.webhooks({ signal }));
  const fails = ({ failing, disabled }: Webhook) =>
    failing !== undefined || (disabled !== undefined && disabled.why !== "by_vendor");
  if (!data.some(fails)) return null;
  return (
    <p class="notice fault">
      {texts.overview.webhooksFail} <a href={toAddress({ view: "webhooks" })}>{texts.overview.toWebhooks}</a>
    </p>
  );
}

interface ActivityPageProps {
  readonly activity: Activity;
  readonly range: Range;
  readonly now: number;
}

function ActivityPage({ activity, range, now }: ActivityPageProps) {
  const { account } = useSession();
  const data = createChartData(activity, range, now);
  const { waiting } = activity;
  const sum = (select: (row: ChartRow) => number) => data.rows.reduce((all, row) => all + select(row), 0);
  const accepted = sum((row) => row.accepted);
  const delivered = sum((row) => row.delivered);
  const refused = sum((row) => row.refused);
  const { totals } = activity;
  const isEmpty = accepted + delivered + refused + waiting.cards === 0;
  return (
    <>
      {waiting.paused !== undefined && <PausedNotice paused={waiting.paused} />}
      {isEmpty ? (
        <Empty title={texts.overview.empty.title}>
          <p>{texts.overview.empty.never}</p>
          {maySee(account, "send") && <a href="#/send">{texts.nav.send}</a>}
        </Empty>
      ) : (
        <>
          <dl class="tiles">
            <Tile name={texts.overview.accepted} value={formatCount(accepted)}>
              {totals.corrected > 0 && texts.overview.corrected(formatCount(totals.corrected))}
            </Tile>
            <Tile name={texts.overview.delivered} value={formatCount(delivered)}>
              {formatDelivered({ accepted, delivered }, totals)}
            </Tile>
            <Tile
              name={texts.overview.refused}
              value={formatCount(refused)}
              kind={refused > 0 ? "bad" : ""}
            />
            <Tile name={texts.overview.waiting} value={formatCount(waiting.cards)}>
              {formatWaiting(waiting.since, now)}
            </Tile>
            <Tile
              name={texts.overview.deliveryTime}
              value={totals.deliverySeconds === undefined ? "–" : formatDuration(totals.deliverySeconds.half)}
            >
              {totals.deliverySeconds === undefined
                ? texts.overview.noDelivery
                : texts.overview.most(formatDuration(totals.deliverySeconds.most))}
            </Tile>
            {totals.recorded + totals.notRecorded > 0 && (
              <Tile name={texts.overview.recorded} value={formatCount(totals.recorded)}>
                {totals.notRecorded > 0
                  ? texts.overview.notRecorded(formatCount(totals.notRecorded))
                  : texts.overview.allRecorded}
              </Tile>
            )}
          </dl>
          <Panel id="by-time" title={data.isByDay ? texts.overview.byDay : texts.overview.byHour}>
            <ActivityChart data={data} title={data.isByDay ? texts.overview.byDay : texts.overview.byHour} />
            <CountsTable data={data} />
          </Panel>
          <Attention activity={activity} range={range} />
        </>
      )}
    </>
  );
}

/** The chart's figures, without the hours in which nothing happened. */
function CountsTable({ data }: { readonly data: ChartData }) {
  const { rows, isByDay, timeZone } = data;
  const time = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    ...(isByDay ? { timeZone } : { timeStyle: "short" }),
  });
  const counted = rows
    .filter(({ accepted, delivered, refused }) => accepted + delivered + refused > 0)
    .toReversed();
  return (
    <details>
      <summary>{texts.overview.asTable}</summary>
      <Figures
        headings={[
          texts.overview.time,
          texts.overview.accepted,
          texts.overview.delivered,
          texts.overview.refused,
        ]}
      >
        {counted.map(({ at, accepted, delivered, refused }) => (
          <tr key={at}>
            <th scope="row">{time.format(at)}</th>
            <td>{formatCount(accepted)}</td>
            <td>{formatCount(delivered)}</td>
            <td>{formatCount(refused)}</td>
          </tr>
        ))}
      </Figures>
    </details>
  );
}

/** Numbers of cards that a person should look at, with links to their lists. */
function Attention({ activity, range }: { readonly activity: Activity; readonly range: Range }) {
  const { to } = activity;
  const counts = countAttention(activity, range);
  const { since, days } = counts;
  /** A link to the cards that were counted on the same days. */
  const counted = (name: string, cards: number, from = since) =>
    [
      cards,
      formatCounted(name, cards),
      toAddress({ view: "cards", filter: { from, day: to, counted: name } }),
    ] as const;
  // A player who is not known has a line of its own.
  const found = activity.warnings.filter(({ code }) => code !== "player_unknown");
  const items = [
    counted(CardState.rejected, counts.rejected),
    counted(CardState.undelivered, counts.undelivered),
    [
      counts.refused,
      texts.overview.seeRefused(formatCount(counts.refused)),
      toAddress({ view: "refusals", days }),
    ],
    counted("player_unknown", counts.playersUnknown),
    // Warnings by code are counted of all days that were asked for, which are one more than those of a week.
    ...found.map(({ code, cards }) => counted(code, cards, activity.from)),
    counted("notRecorded", counts.notRecorded),
  ] as const;
  const shown = items.filter(([cards]) => cards > 0);
  return (
    <Panel id="attention" title={texts.overview.attention}>
      <p class="quiet">{texts.overview.attentionSince(formatDay(since))}</p>
      {shown.length === 0 && <p>{texts.overview.attentionNone}</p>}
      {shown.length > 0 && (
        <ul class="links">
          {shown.map(([, text, href]) => (
            <li key={href}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
