import { CardState, type CardStatus } from "@scorecard-pipeline/scorecards-client";
import { formatShortTime, formatTime, formatUpcoming } from "../../base/format.ts";
import { errorText } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { StateChip } from "../../components/state-chip.tsx";
import { texts } from "../../texts/texts.ts";
import type { HistoryEntry } from "./history.ts";
import { formatDifferential } from "./record-text.ts";

export function History({
  entries,
  status,
}: {
  readonly entries: readonly HistoryEntry[];
  readonly status: CardStatus;
}) {
  const hasPosts = entries.some(({ kind }) => kind === "post");
  return (
    <Panel id="history" title={texts.card.history}>
      <ol class="timeline">
        {entries.map((entry, place) => (
          <li key={place} class={classifyEntry(entry)}>
            <time dateTime={entry.at} title={formatTime(entry.at)}>
              {entry.kind === "next" ? formatUpcoming(entry.at) : formatShortTime(entry.at)}
            </time>
            <HistoryText entry={entry} />
          </li>
        ))}
      </ol>
      {!hasPosts && status.attempts !== undefined && (
        <p class="quiet">{texts.card.attempts(status.attempts)}</p>
      )}
    </Panel>
  );
}

function classifyEntry(entry: HistoryEntry): string {
  if (entry.kind === "post") return entry.posts.error === undefined ? "good" : "bad";
  if (entry.kind === "state") return entry.state === CardState.delivered ? "good" : "bad";
  if (entry.kind === "record") return entry.record.state === "recorded" ? "good" : "bad";
  return entry.kind;
}

function HistoryText({ entry }: { readonly entry: HistoryEntry }) {
  switch (entry.kind) {
    case "accepted":
      return <p>{texts.card.accepted}</p>;
    case "earlier":
      return <p>{texts.card.corrected(texts.states[entry.state] ?? entry.state)}</p>;
    case "state":
      return (
        <p>
          <StateChip state={entry.state} />
        </p>
      );
    case "next":
      return <p>{texts.card.nextAttempt}</p>;
    case "record":
      return (
        <p>
          {entry.record.state === "recorded"
            ? `${texts.card.record.foundThen}, ${formatDifferential(entry.record)}`
            : texts.card.record.notFoundThen}
        </p>
      );
    case "post": {
      const { at, until, posts, error, version } = entry.posts;
      return (
        <div>
          <p>
            {error === undefined
              ? texts.card.postDelivered
              : `${texts.card.postFailed} ${texts.card.phases[error.stage]}`}
            {until !== undefined && (
              <span class="quiet"> · {texts.card.postsSince(posts, formatShortTime(at))}</span>
            )}
            {version > 1 && <span class="quiet"> · {texts.card.version(version)}</span>}
          </p>
          {error !== undefined && <p class="words">{errorText(error)}</p>}
        </div>
      );
    }
  }
}
