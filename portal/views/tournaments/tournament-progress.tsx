import { countUncounted } from "@scorecard-pipeline/card-files/uncounted";
import type { Tournament } from "@scorecard-pipeline/scorecards-client";
import { formatCount, formatDay } from "../../base/format.ts";
import { toAddress } from "../../base/route.ts";
import { maySee, useSession } from "../../base/session.ts";
import { WideFigures } from "../../components/figures.tsx";
import { Meaning } from "../../components/meaning.tsx";
import { Panel } from "../../components/panel.tsx";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { ForDeveloper } from "../../components/refusal-fault.tsx";
import { Tile } from "../../components/tile.tsx";
import { words } from "../../texts/tournaments/texts.ts";

export function Progress({ tournament }: { readonly tournament: Tournament }) {
  const { account } = useSession();
  const { totals, refused } = tournament;
  const sent = totals.cards - totals.withdrawn;
  const failed = totals.rejected + totals.undelivered;
  const uncounted = Math.min(countUncounted(tournament.warnings), totals.delivered - totals.recorded);
  const { tiles } = words;
  return (
    <section aria-labelledby="progress">
      <h2 id="progress" class="said">
        {words.progress}
      </h2>
      <p class="said">{words.share(formatCount(totals.delivered), formatCount(sent))}</p>
      <ProgressBar sent={sent} delivered={totals.delivered - uncounted} failed={failed + uncounted} />
      <dl class="tiles">
        <Tile name={tiles.sent} value={formatCount(sent)}>
          {totals.withdrawn > 0 && tiles.withdrawn(formatCount(totals.withdrawn))}
        </Tile>
        <Tile name={tiles.refused} value={formatCount(refused.cards)} kind={refused.cards > 0 ? "bad" : ""}>
          {refused.corrections > 0 && tiles.corrections(formatCount(refused.corrections))}
        </Tile>
        <Tile name={tiles.delivered} value={formatCount(totals.delivered)} />
        {totals.waiting > 0 && <Tile name={tiles.waiting} value={formatCount(totals.waiting)} />}
        {failed > 0 && <Tile name={tiles.failed} value={formatCount(failed)} kind="bad" />}
        {uncounted > 0 && <Tile name={tiles.uncounted} value={formatCount(uncounted)} kind="bad" />}
        {totals.recorded + totals.notRecorded > 0 && (
          <Tile name={tiles.recorded} value={formatCount(totals.recorded)}>
            {totals.notRecorded > 0 && tiles.notRecorded(formatCount(totals.notRecorded))}
          </Tile>
        )}
        {totals.warned > 0 && <Tile name={tiles.warned} value={formatCount(totals.warned)} />}
      </dl>
      {!refused.isComplete && maySee(account, "refusals") && (
        <p class="notice warning">
          <a href={toAddress({ view: "refusals", days: 7 })}>{words.refusedMayBeMore}</a>
        </p>
      )}
    </section>
  );
}

export function Rounds({ tournament: { rounds } }: { readonly tournament: Tournament }) {
  if (rounds.length < 2) return null;
  const names = words.rounds;
  return (
    <div class="panel">
      <h2 id="rounds">{names.title}</h2>
      <WideFigures
        labelledBy="rounds"
        headings={[
          names.day,
          names.round,
          names.sent,
          names.delivered,
          names.waiting,
          names.failed,
          names.recorded,
          names.withdrawn,
        ]}
      >
        {rounds.map((one) => (
          <tr key={`${one.day} ${one.round}`}>
            <th scope="row">{formatDay(one.day)}</th>
            <td>{one.round === 0 ? names.without : one.round}</td>
            <td>{formatCount(one.cards - one.withdrawn)}</td>
            <td>{formatCount(one.delivered)}</td>
            <td>{formatCount(one.waiting)}</td>
            <td>{formatCount(one.rejected + one.undelivered)}</td>
            <td>{formatCount(one.recorded)}</td>
            <td>{formatCount(one.withdrawn)}</td>
          </tr>
        ))}
      </WideFigures>
    </div>
  );
}

export function Warnings({ tournament: { warnings } }: { readonly tournament: Tournament }) {
  if (warnings.length === 0) return null;
  return (
    <Panel id="warnings" title={words.warnings.title}>
      <ul class="findings">
        {warnings.map(({ code, cards }) => (
          <li key={code}>
            <p>
              <strong>{words.warnings.cards(formatCount(cards))}</strong>: <Meaning code={code} />
            </p>
            <ForDeveloper finding={{ code }} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
