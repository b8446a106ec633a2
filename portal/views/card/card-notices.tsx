import { type CardRecord, CardState, type CardStatus } from "@scorecard-pipeline/scorecards-client";
import { placeFindings } from "../../base/finding-places.ts";
import { dayIn, formatShortTime } from "../../base/format.ts";
import { useLive } from "../../base/live.ts";
import { toAddress } from "../../base/route.ts";
import { useSession } from "../../base/session.ts";
import { Meaning, ShortMeaning } from "../../components/meaning.tsx";
import { Empty, errorText } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { RefusalFault } from "../../components/refusal-fault.tsx";
import { RefusedIn } from "../../components/refused-in.tsx";
import { texts } from "../../texts/texts.ts";
import { formatDifferential } from "./record-text.ts";
import { WarningMark } from "./scorecard-table.tsx";

/** Whether the round is in the player's record at the union; if not, why it may not be. */
export function RecordNotice({
  record,
  status,
}: {
  readonly record: CardRecord;
  readonly status: CardStatus;
}) {
  const { state, at } = record;
  const warning = status.warnings?.find(({ code }) => code === "not_recorded");
  return (
    <Panel
      class={`notice ${state === "recorded" ? "good" : "warning"}`}
      id="record"
      title={texts.card.record.title}
    >
      {state === "recorded" ? (
        <p>
          {texts.card.record.recorded(formatShortTime(at))}, {formatDifferential(record)}.
        </p>
      ) : (
        <>
          <p>{texts.card.record.notRecorded(formatShortTime(at))}.</p>
          {warning !== undefined && (
            <p>
              <Meaning code={warning.code} />
            </p>
          )}
        </>
      )}
    </Panel>
  );
}

/** The warnings in short above everything else: a green state alone would say that all is well. */
export function WarningsNotice({ status }: { readonly status: CardStatus }) {
  const { state, warnings = [], record } = status;
  if (warnings.length === 0) return null;
  // A round with a Score Differential counts, whatever was doubted before.
  const mayNotCount = state === CardState.delivered && record?.differential === undefined;
  return (
    <Panel class="notice warning" id="look" title={texts.card.look.title}>
      <p>{mayNotCount ? texts.card.look.delivered : texts.card.look.waiting}</p>
      <ul>
        {placeFindings(warnings).map((warning) => (
          <li key={warning.number}>
            <WarningMark warning={warning} /> <ShortMeaning code={warning.finding.code} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function MissingCard() {
  return (
    <Empty title={texts.card.missing.title}>
      <p>{texts.card.missing.text}</p>
      <p>
        <a href={toAddress({ view: "refusals", days: 7 })}>{texts.card.missing.toRefusals}</a>
      </p>
    </Empty>
  );
}

export function RefusedCard({ status }: { readonly status: CardStatus }) {
  const { externalId, since, errors = [] } = status;
  const { api, account } = useSession();
  const day = dayIn(account.timeZone, since === undefined ? Date.now() : Date.parse(since));
  const query = `?${new URLSearchParams({ externalId, from: day, to: day })}`;
  const [{ data }] = useLive(query, 0, (signal) => api.refusals(query, signal));
  return (
    <section class="notice fault">
      <h2>{texts.card.missing.refused(since === undefined ? "" : formatShortTime(since))}</h2>
      <RefusedIn tournament={data?.refusals[0]?.tournament} />
      {errors.map((fault, place) => (
        <div key={place}>
          <RefusalFault fault={fault} />
        </div>
      ))}
      <a href="#/send">{texts.nav.send}</a>
    </section>
  );
}

/** Why the last post of a card failed, or the exchange refused it. */
export function LastError({
  error,
  isRejected,
}: {
  readonly error: NonNullable<CardStatus["lastError"]>;
  readonly isRejected: boolean;
}) {
  return (
    <Panel
      class="notice fault"
      id="last-error"
      title={isRejected ? texts.states.rejected : texts.card.lastError}
    >
      <p class="words">{errorText(error)}</p>
      <p>
        {texts.card.postFailed} {texts.card.phases[error.stage]}.
      </p>
    </Panel>
  );
}
