import { setTimeout as delay } from "node:timers/promises";
import { type CardStatus, createClient } from "@scorecard-pipeline/scorecards-client";
import type { AcceptedCard } from "../../../local/sample/play.ts";

/** Options of {@link followRecords}. */
interface RecordsOptions {
  /** Base address of the API with its stage. */
  readonly api: string;
  readonly vendors: readonly {
    readonly username: string;
    readonly password: string;
    readonly apiSet: string;
  }[];
  /** Cards that were delivered. */
  readonly delivered: readonly AcceptedCard[];
  /** Runs the check that looks for due cards in the players' records. */
  readonly check: () => Promise<unknown>;
  /** A card's Score Differential, times 10,000; undefined if it cannot be worked out from the card. */
  readonly differentialOf: (card: AcceptedCard["card"]) => number | undefined;
  readonly deadlineMilliseconds: number;
  readonly signal: AbortSignal;
}

/** The sample's cards in the players' records. */
export interface RecordsResult {
  readonly delivered: number;
  readonly recorded: number;
  /** Cards that are not in a record, by the code of their likeliest cause; `none` without one. */
  readonly notRecorded: Readonly<Record<string, number>>;
  /** Cards without a result at the end. */
  readonly unknown: number;
  /** Cards with a Score Differential from both the pipeline and the union. */
  readonly compared: number;
  readonly differences: readonly Difference[];
}

/** Two Score Differentials of one card, times 10,000. */
interface Difference {
  readonly externalId: string;
  readonly ours: number;
  readonly unions: number;
}

const pauseMilliseconds = 500;

/** Waits until each delivered card is known to be in the player's record or not, and compares Score Differentials. */
export async function followRecords(options: RecordsOptions): Promise<RecordsResult> {
  const { api, vendors, delivered, check, differentialOf, deadlineMilliseconds, signal } = options;
  const end = performance.now() + deadlineMilliseconds;
  const known = new Map<AcceptedCard, CardStatus>();
  for (;;) {
    await check();
    for (const vendor of vendors) {
      const client = createClient({ api, ...vendor });
      const open = delivered.filter((card) => card.apiSet === client.apiSet && !known.has(card));
      const statuses = await client.statuses(
        open.map(({ card }) => String(card.ExternalID)),
        { signal },
      );
      for (const [place, card] of open.entries()) {
        const status = statuses[place];
        if (status?.record !== undefined) known.set(card, status);
      }
    }
    if (known.size === delivered.length || performance.now() >= end) break;
    await delay(pauseMilliseconds, undefined, { signal });
  }

  const notRecorded: Record<string, number> = {};
  const differences: Difference[] = [];
  let recorded = 0;
  let compared = 0;
  for (const [{ card }, { externalId, record, warnings = [] }] of known) {
    if (record?.state === "recorded") recorded++;
    else {
      const code = warnings.find(({ code }) => code !== "not_recorded")?.code ?? "none";
      notRecorded[code] = (notRecorded[code] ?? 0) + 1;
    }
    const ours = differentialOf(card);
    if (ours === undefined || record?.differential === undefined) continue;
    compared++;
    if (ours !== record.differential) differences.push({ externalId, ours, unions: record.differential });
  }
  return {
    delivered: delivered.length,
    recorded,
    notRecorded,
    unknown: delivered.length - known.size,
    compared,
    differences,
  };
}
