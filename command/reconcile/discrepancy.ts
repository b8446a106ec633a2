import {
  CardState,
  type CardStatus,
  isWaiting,
  type Validation,
} from "@scorecard-pipeline/scorecards-client";

/**
 * What is not in order with a card.
 *
 * - `missingThere`: the pipeline does not have it, or it was withdrawn
 * - `missingHere`: the file does not have it
 * - `differs`: the pipeline would deliver another card
 * - `refused`: the pipeline would refuse the file's card now
 * - `erased`: a person was erased from it at the pipeline, so it cannot be compared
 */
export const discrepancyKinds = ["missingThere", "missingHere", "differs", "refused", "erased"] as const;

/** What is not in order with a card. */
export type DiscrepancyKind = (typeof discrepancyKinds)[number];

/** A fault without the value that was sent, which may be personal data. */
export interface FaultPlace {
  readonly code: string;
  /** JSON pointer into the card. */
  readonly pointer?: string;
}

/** A card that is not in order. It has nothing of the card but its ExternalID. */
export interface Discrepancy {
  readonly kind: DiscrepancyKind;
  /** Number in the file; absent if the file does not have it. */
  readonly card?: number;
  /** Undefined if the card has none. */
  readonly externalId: string | undefined;
  /** Its state at the pipeline. */
  readonly state: CardStatus["state"];
  /** JSON pointers to the fields that differ. */
  readonly fields?: readonly string[];
  /** Why it would be refused. */
  readonly errors?: readonly FaultPlace[];
  readonly toDo: string;
}

/** The part of a status that is compared. */
type ComparedStatus = Pick<CardStatus, "state" | "contentHash">;

/**
 * Compares a card of the file with the pipeline's.
 *
 * @returns undefined if both are the same; `differs` if they were sent with other fields, even if the delivered cards may be
 * the same
 */
export function kindOf(
  entry: Validation["cards"][number],
  { state, contentHash }: ComparedStatus,
): DiscrepancyKind | undefined {
  if (entry.status === 422) return "refused";
  if (state === "unknown" || state === "refused" || state === CardState.withdrawn) return "missingThere";
  if (contentHash === undefined) return "erased";
  return contentHash === entry.contentHash ? undefined : "differs";
}

/** Whether a card that only the pipeline has should be in the file: not if it was withdrawn or erased. */
export const belongsHere = ({ state, contentHash }: ComparedStatus): boolean =>
  state !== CardState.withdrawn && contentHash !== undefined;

/** What to do about a card. */
export function toDoAbout(kind: DiscrepancyKind, state: CardStatus["state"]): string {
  switch (kind) {
    case "missingThere":
      return state === CardState.withdrawn
        ? "Submit it again, or take it out of your database."
        : "Submit it.";
    case "missingHere":
      return isWaiting(state) ? "Add it to your database, or withdraw it." : "Add it to your database.";
    case "differs":
      return "Submit yours as a correction, or correct your database.";
    case "refused":
      return state === "unknown" || state === "refused"
        ? "Correct it, then submit it."
        : "Correct it before you submit it again.";
    case "erased":
      return "A person was erased from it. Erase the person from your database, and do not submit it again.";
  }
}
