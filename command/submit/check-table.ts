import type { CardFindings } from "@scorecard-pipeline/card-files/card-fault";
import type { FileCard } from "@scorecard-pipeline/card-files/file-card";
import { type NamedCard, nameAllCards } from "@scorecard-pipeline/card-files/named-cards";
import { type PreviewCounts, previewCards } from "@scorecard-pipeline/card-files/preview-cards";
import { type ReplacedPart, readReplacedParts } from "@scorecard-pipeline/card-files/replaced-parts";
import {
  changeOfCard,
  changesPlayer,
  findSentBefore,
  maxPlayerChanges,
  type RowChange,
  type SentCardsClient,
} from "@scorecard-pipeline/card-files/sent-before";
import {
  findTableWarnings,
  type TableWarning,
  withoutWarnings,
} from "@scorecard-pipeline/card-files/table-warnings";
import { isUncounted } from "@scorecard-pipeline/card-files/uncounted";

/** A table's cards before any is sent. */
export interface CheckedTable {
  readonly counts: PreviewCounts;
  /** Cards that are sent: those that are refused go, too, since the submission counts why. */
  readonly passed: readonly NamedCard[];
  /** Cards that will not count for a handicap. */
  readonly held: number;
  /** Cards that would become another player's, or another day's. */
  readonly replaced: number;
  readonly changes: Readonly<Record<RowChange, number>>;
  /** What nearly all cards are warned of and nobody has confirmed: nothing is sent. */
  readonly common: readonly TableWarning[];
}

/** What was found about a card, with what it replaces. */
export type JudgedFindings = CardFindings & { readonly replaced?: readonly ReplacedPart[] | undefined };

/**
 * Validates all cards of a table, with its players, and compares them with what was sent before.
 *
 * @throws Error if the table would give more sent cards to other players than a person mends
 */
export async function checkTable(
  path: string,
  cards: AsyncIterable<FileCard>,
  options: Omit<Parameters<typeof previewCards>[0], "cards" | "players" | "onJudged"> & {
    readonly client: SentCardsClient;
    /** Whether cards are sent that will not count. */
    readonly uncounted: boolean;
    /** Codes of warnings that are right for the whole table. */
    readonly confirmed: readonly string[];
    readonly onFound: (found: JudgedFindings) => void;
  },
): Promise<CheckedTable> {
  const { client, anyCorrection = false, uncounted, signal, onFound } = options;
  const own = await nameAllCards(cards);
  const { stored, renamed } = await findSentBefore(own, client, signal);
  const named = await nameAllCards(own, renamed);
  const judged: { readonly card: NamedCard; readonly found: CardFindings }[] = [];
  const confirmed = new Set(options.confirmed);
  const onJudged = (card: NamedCard, found: CardFindings) =>
    judged.push({ card, found: withoutWarnings(found, confirmed) });
  const counts = await previewCards({ ...options, cards: named, players: true, onJudged });
  const corrected = judged.filter(({ found }) => found.corrects !== undefined).map(({ card }) => card);
  const parts = await readReplacedParts(
    corrected.flatMap(({ externalId, value }) => (externalId === undefined ? [] : [{ externalId, value }])),
    client,
    signal,
  );
  const common = findTableWarnings(judged.map(({ found }) => found));
  const codes = new Set(common.map(({ first }) => first.code));
  for (const { card, found } of judged)
    onFound({ ...withoutWarnings(found, codes), replaced: parts.get(card.externalId ?? "") });
  refuseOtherOrder(
    path,
    judged.map(({ found }) => found),
    anyCorrection,
    stored,
  );
  const changes = { new: 0, unchanged: 0, corrected: 0, replaced: 0 };
  const result = { held: 0, replaced: 0, passed: [] as NamedCard[] };
  for (const { card, found } of judged) {
    const isKnown = stored.has(card.externalId ?? "") || found.corrects !== undefined;
    const change = changeOfCard(isKnown, found.corrects);
    if (found.errors === undefined) changes[change] += 1;
    if (change === "replaced" && !anyCorrection) result.replaced += 1;
    else if (isUncounted(found.warnings) && !uncounted) result.held += 1;
    else result.passed.push(card);
  }
  return { ...result, counts, changes, common };
}

function refuseOtherOrder(
  path: string,
  found: readonly CardFindings[],
  anyCorrection: boolean,
  stored: ReadonlyMap<string, { readonly acceptedAt?: string }>,
): void {
  const changed = found.filter(changesPlayer);
  if (changed.length <= maxPlayerChanges || anyCorrection) return;
  const [at = ""] = changed.flatMap(({ externalId = "" }) => stored.get(externalId)?.acceptedAt ?? []);
  throw new Error(
    `${path} has another order than the one sent at ${at.slice(0, 16).replace("T", " ")}: ${changed.length} of its rows would give a sent card to another player. Nothing is sent. Leave out the column that names the cards, or send with --any-correction if this is meant.`,
  );
}
