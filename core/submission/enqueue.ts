import type { WriteResult } from "../delivery/card.ts";
import type { WakeUp } from "../delivery/message.ts";
import type { ScorecardTable } from "../dynamodb/scorecards.ts";
import type { VersionChange } from "./plan.ts";

/** What storing new versions needs from outside. */
export interface EnqueueDependencies {
  readonly table: Pick<ScorecardTable, "write">;
  readonly send: (wakeUps: readonly WakeUp[]) => Promise<void>;
  readonly now: () => Date;
}

/** The wake-up of a version. @param now milliseconds since 1970, UTC */
export function wakeUpOf({ apiSet, externalId, set: { version } }: VersionChange, now: number): WakeUp {
  return { apiSet, externalId, version, madeAt: now, delaySeconds: 0 };
}

/**
 * Stores new versions of cards. Their wake-ups go out first, so that a stored version always has one; a wake-up of a version
 * that is not stored in the end does no harm.
 *
 * @throws QueueBatchError or TableBatchError: some may be stored
 */
export async function enqueue(
  changes: readonly VersionChange[],
  { table, send, now }: EnqueueDependencies,
): Promise<WriteResult[]> {
  if (changes.length === 0) return [];
  await send(changes.map((change) => wakeUpOf(change, now().getTime())));
  return table.write(changes);
}
