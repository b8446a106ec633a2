import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  CardState,
  type CardStatus,
  followCards,
  type ScorecardsClient,
} from "@scorecard-pipeline/scorecards-client";
import type { ApiSet } from "../../core/accounts/account.ts";
import { scorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import type { ListedState } from "../../core/cards/life/states.ts";
import { readStatuses } from "../../core/cards/status.ts";
import { findTarget } from "../base/find-target.ts";
import { knownApiSets } from "../base/known-api-sets.ts";
import { type VendorOptions, vendorAccess } from "../base/vendor-access.ts";

/** Options that choose whose cards are read, and by whom. */
export interface CardReaderOptions extends VendorOptions {
  /** API set of the vendor whose cards an operator reads, with the credentials of the stage. */
  readonly vendor?: string;
}

/** The state of a card, from the API or from the stage's table. */
export type FollowedCard = Pick<
  CardStatus,
  "externalId" | "state" | "since" | "attempts" | "lastError" | "nextAttemptAt" | "paused"
>;

/** Reads the states of one vendor's cards. */
export interface CardReader {
  /** @returns one a card, in order */
  statuses(externalIds: readonly string[], signal: AbortSignal): Promise<readonly FollowedCard[]>;
  /** ExternalIDs of all cards in a state. */
  inState(state: ListedState, signal: AbortSignal): Promise<string[]>;
  /**
   * Follows cards until each is settled or the time is over. Yields each change of state.
   *
   * @param timeoutSeconds may be infinite
   */
  follow(
    externalIds: readonly string[],
    timeoutSeconds: number,
    signal: AbortSignal,
  ): AsyncIterable<FollowedCard>;
}

/**
 * Reads a vendor's cards: with `vendor` from the stage's table, so that an operator needs no password of the vendor,
 * else from the API with the vendor's own account.
 *
 * @param retrySeconds how long a single request to the API is retried, if not briefly
 * @throws Error that says what is missing
 */
export async function cardReader(
  options: CardReaderOptions,
  environment: NodeJS.ProcessEnv,
  retrySeconds?: number,
): Promise<CardReader> {
  if (options.vendor === undefined)
    return readerThroughApi((await vendorAccess(options, environment, retrySeconds)).client);
  const target = await findTarget(options.stage);
  const dynamodb = new DynamoDBClient(target.client("dynamodb"));
  const [apiSet] = await knownApiSets(target, dynamodb, options);
  return readerOfTable(scorecardTable(target.outputs.ScorecardTableName, dynamodb), apiSet as ApiSet);
}

function readerOfTable(table: ReturnType<typeof scorecardTable>, apiSet: ApiSet): CardReader {
  const statuses: CardReader["statuses"] = (externalIds) => readStatuses(table, apiSet, externalIds);
  return {
    statuses,
    async inState(state) {
      const externalIds: string[] = [];
      let after: string | undefined;
      do {
        const page = await table.inState(apiSet, state, 100, after);
        externalIds.push(...page.externalIds);
        after = page.next;
      } while (after !== undefined);
      return externalIds;
    },
    follow: (externalIds, timeoutSeconds, signal) =>
      followCards({
        read: (asked) => statuses(asked, signal),
        externalIds,
        deadline: performance.now() + timeoutSeconds * 1_000,
        signal,
      }),
  };
}

function readerThroughApi(client: ScorecardsClient): CardReader {
  return {
    statuses: (externalIds, signal) => client.statuses(externalIds, { signal }),
    async inState(state, signal) {
      const externalIds: string[] = [];
      for await (const { externalId } of client.cardsInState(state, { signal })) externalIds.push(externalId);
      return externalIds;
    },
    follow: (externalIds, timeoutSeconds, signal) => client.follow(externalIds, { timeoutSeconds, signal }),
  };
}

/** Why a card is not delivered, in one line; empty if nothing has failed. */
export function failureOf({ state, lastError, paused }: FollowedCard): string {
  const error = lastError ?? paused?.lastError;
  if (error === undefined || state === CardState.delivered || state === CardState.withdrawn) return "";
  return error.status === undefined ? error.message : `HTTP ${error.status}: ${error.message}`;
}
