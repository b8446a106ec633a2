import { useEffect, useState } from "preact/hooks";
import { formatCount } from "../../base/format.ts";
import { useLive } from "../../base/live.ts";
import { toAddress } from "../../base/route.ts";
import { useSession } from "../../base/session.ts";
import { useTables } from "../../tables/connection.ts";
import type { SentTournament } from "../../tables/sent-tournaments.ts";
import type { ReportedProgress } from "../../tables/worker-messages.ts";
import { words } from "../../texts/tables/texts.ts";
import { texts } from "../../texts/texts.ts";

/** Seconds until a tournament that is not listed yet is looked for again. */
const secondsUntilListed = 2;

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
      {tournaments.map((one) => (
        <TournamentLink key={one.name} tournament={one} isMain={isDone} />
      ))}
    </section>
  );
}

/** A link to a tournament. Its address has no name, which may say who celebrates, so it is looked up in the list. */
function TournamentLink({
  tournament: { name, from, to },
  isMain,
}: {
  readonly tournament: SentTournament;
  /** Whether nothing else is left to be done. */
  readonly isMain: boolean;
}) {
  const { api } = useSession();
  const [seconds, setSeconds] = useState(secondsUntilListed);
  const query = `?${new URLSearchParams({ from, to })}`;
  const [{ data }] = useLive(query, seconds, (signal) => api.tournaments(query, signal));
  const id = data?.tournaments.find((one) => one.name === name)?.id;
  useEffect(() => {
    if (id !== undefined) setSeconds(0);
  }, [id]);
  return (
    <p>
      {id === undefined ? (
        words.send.soon
      ) : (
        <a
          {...(isMain && { class: "main-link" })}
          href={toAddress({ view: "tournament", shown: { id, from, to } })}
        >
          {name}
        </a>
      )}
    </p>
  );
}
