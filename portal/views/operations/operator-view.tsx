import type { Overview } from "@scorecard-pipeline/scorecards-client";
import {
  formatCount,
  formatDuration,
  formatShare,
  formatShortTime,
  formatUpcoming,
} from "../../base/format.ts";
import { useLive } from "../../base/live.ts";
import { useSession } from "../../base/session.ts";
import { WideFigures } from "../../components/figures.tsx";
import { errorText, ReadState, ViewTitle } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { Tile } from "../../components/tile.tsx";
import { texts } from "../../texts/texts.ts";

/** All vendors at a glance, for the operator. */
export function OperatorView() {
  const { api } = useSession();
  const [live, refresh] = useLive("operator", 30, (signal) => api.overview(signal));
  return (
    <>
      <ViewTitle title={texts.operator.title} live={live} refresh={refresh} />
      <ReadState live={live} retry={refresh} />
      {live.data !== undefined && <OverviewPage overview={live.data} />}
    </>
  );
}

function OverviewPage({ overview }: { readonly overview: Overview }) {
  const { union, delivery, queue, breakers, mirror, alarms, objective } = overview;
  const t = texts.operator;
  return (
    <>
      <p class="quiet">{t.about(union)}</p>
      {delivery.held && (
        <Panel class="notice warning" id="held" title={t.held}>
          <p>{t.heldText(delivery.eventSource)}</p>
        </Panel>
      )}
      {queue.cardsWithoutMessage !== undefined && (
        <Panel class="notice warning" id="lost" title={t.lost}>
          <p>{t.lostText(formatCount(queue.cardsWithoutMessage))}</p>
        </Panel>
      )}
      <dl class="tiles">
        <Tile name={t.waiting} value={formatCount(queue.waiting)}>
          {t.delayed(formatCount(queue.delayed))}, {t.inFlight(formatCount(queue.inFlight))}
        </Tile>
        <Tile
          name={t.oldest}
          value={queue.oldestSeconds === undefined ? t.none : formatDuration(queue.oldestSeconds)}
        />
        <Tile
          name={t.deadLetters}
          value={formatCount(queue.deadLetters)}
          kind={queue.deadLetters > 0 ? "bad" : ""}
        />
        <Tile
          name={t.mirror}
          value={mirror.ageSeconds === undefined ? "–" : formatDuration(mirror.ageSeconds)}
        >
          {t.clubs(formatCount(mirror.clubs), formatCount(mirror.failing))}
          {mirror.failure !== undefined && `: ${mirror.failure}`}
        </Tile>
        <Tile
          name={t.objective}
          value={objective.share === undefined ? "–" : formatShare(objective.share)}
          kind={objective.budgetUsed > 1 ? "bad" : ""}
        >
          {t.budget(formatCount(objective.delayed), formatCount(Math.round(100 * objective.budgetUsed)))}
        </Tile>
      </dl>
      <Panel id="alarms" title={t.alarms}>
        {alarms.length === 0 ? (
          <p class="quiet">{t.noAlarms}</p>
        ) : (
          <ul class="incidents">
            {alarms.map(({ name, since, text }) => {
              // What has happened is the alarm's name for a person; its own is for the console.
              const [says, todo] = text.split(/(?<=\.) (?=What to do: )/);
              return (
                <li key={name} lang="en">
                  <strong>{says}</strong>{" "}
                  {since !== undefined && <span class="quiet">{t.since(formatShortTime(since))}</span>}
                  <p>
                    {todo} <code>{name}</code>
                  </p>
                </li>
              );
            })}
          </ul>
        )}
      </Panel>
      <Panel id="breakers" title={t.breakers}>
        {breakers.length === 0 ? (
          <p class="quiet">{t.noBreakers}</p>
        ) : (
          <ul class="incidents">
            {breakers.map(({ apiSet, since, nextAttemptAt, status, message }) => (
              <li key={apiSet}>
                <strong>{apiSet}</strong>{" "}
                <span class="quiet">
                  {t.since(formatShortTime(since))}, {t.next(formatUpcoming(nextAttemptAt))}
                </span>
                <p class="words">{errorText({ status, message })}</p>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Vendors vendors={overview.vendors} />
    </>
  );
}

function Vendors({ vendors }: { readonly vendors: Overview["vendors"] }) {
  const { columns, ...t } = texts.operator;
  return (
    <div class="panel">
      <h2 id="vendors">{t.vendors}</h2>
      {vendors.length === 0 ? (
        <p class="quiet">{t.noVendors}</p>
      ) : (
        <WideFigures labelledBy="vendors" caption={t.today} headings={Object.values(columns)}>
          {vendors.map((vendor) => (
            <tr key={vendor.username}>
              <th scope="row">
                {vendor.username}
                {vendor.apiSet !== vendor.username && <span class="quiet"> {vendor.apiSet}</span>}
                {vendor.disabled && <span class="quiet"> {t.disabled}</span>}
              </th>
              <td>{formatCount(vendor.today.accepted)}</td>
              <td>{formatCount(vendor.today.refused)}</td>
              <td>{formatCount(vendor.today.delivered)}</td>
              <td>{formatCount(vendor.today.late)}</td>
              <td>{formatCount(vendor.today.rejected)}</td>
              <td>{formatCount(vendor.today.undelivered)}</td>
              <td>{formatCount(vendor.waiting)}</td>
            </tr>
          ))}
        </WideFigures>
      )}
    </div>
  );
}
