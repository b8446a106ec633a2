import { useEffect, useState } from "preact/hooks";
import { formatCount } from "../../base/format.ts";
import { toAddress } from "../../base/route.ts";
import { useTables } from "../../tables/connection.ts";
import type { SentTournament } from "../../tables/sent-tournaments.ts";
import type { ReportedProgress } from "../../tables/worker-messages.ts";
import { words } from "../../texts/tables/texts.ts";
import { texts } from "../../texts/texts.ts";

/** What became of the cards that were sent, and where their tournament is. */
export function SentNote({ progress }: { readonly progress: ReportedProgress }) {
  const { remote } = useTables();
  const [tournaments, setTournaments] = useState<readonly SentTournament[]>([]);
  useEffect(() => void remote.tournaments().then(setTournaments), [remote, progress.accepted]);
  const states = Object.entries(progress.states);
  const isDone = progress.accepted + progress.leftOut === progress.rows;
  return (
    <section class={`notice ${isDone ? "good" : ""}`}>
      {states.length > 0 && (
        <p class="counts">
          {states.map(([state, count]) => (
            <span key={state}>{words.send.states(formatCount(count), texts.states[state] ?? state)}</span>
          ))}
        </p>
      )}
      <p>{words.send.following}</p>
      {tournaments.length > 0 && <p>{words.send.tournaments}</p>}
      {tournaments.map(({ id, name, from, to }) => (
        <p key={id}>
          <a
            {...(isDone && { class: "main-link" })}
            href={toAddress({ view: "tournament", shown: { id, from, to } })}
          >
            {name}
          </a>
        </p>
      ))}
    </section>
  );
}
