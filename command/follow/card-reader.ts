import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type CardStatus, readFromApi, statusesOfCards } from "../../client/vendor-api.ts";
import type { ApiSet } from "../../core/accounts/api-set.ts";
import { readStatuses } from "../../core/delivery/status.ts";
import { accountTable } from "../../core/dynamodb/accounts.ts";
import { type ListedState, scorecardTable } from "../../core/dynamodb/scorecards.ts";
import { findTarget } from "../find-target.ts";
import { knownApiSets } from "../known-api-sets.ts";
import { requestDeadline, type VendorAccess, type VendorOptions, vendorAccess } from "../vendor-access.ts";

/** Options that choose whose cards are read, and by whom. */
export interface CardReaderOptions extends VendorOptions {
  /** API set of the vendor whose cards an operator reads, with the credentials of the stage. */
  readonly vendor?: string;
}

/** Reads the states of one vendor's cards. */
export interface CardReader {
  /** @param externalIds at most 100 @param deadline of retries, by the clock of `performance.now()`; 0 for none */
  statuses(
    externalIds: readonly string[],
    deadline: number,
    signal: AbortSignal,
  ): Promise<readonly CardStatus[]>;
  /** ExternalIDs of all cards in a state. */
  inState(state: ListedState, signal: AbortSignal): Promise<string[]>;
}

/**
 * Reads a vendor's cards: with `vendor` from the stage's table, so that an operator needs no password of the vendor,
 * else from the API with the vendor's own account.
 *
 * @throws Error that says what is missing
 */
export async function cardReader(
  options: CardReaderOptions,
  environment: NodeJS.ProcessEnv,
): Promise<CardReader> {
  if (options.vendor === undefined) return readerThroughApi(await vendorAccess(options, environment));
  const { outputs, client } = await findTarget(options.stage);
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const accounts = await accountTable(outputs.AccountTableName, dynamodb).list();
  const [apiSet] = knownApiSets(accounts, options.vendor, options.stage);
  return readerOfTable(scorecardTable(outputs.ScorecardTableName, dynamodb), apiSet as ApiSet);
}

function readerOfTable(table: ReturnType<typeof scorecardTable>, apiSet: ApiSet): CardReader {
  return {
    statuses: (externalIds) => readStatuses(table, apiSet, externalIds),
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
  };
}

function readerThroughApi({ api, vendor }: VendorAccess): CardReader {
  return {
    statuses: (externalIds, deadline, signal) => statusesOfCards(api, vendor, externalIds, deadline, signal),
    async inState(state, signal) {
      const externalIds: string[] = [];
      let page: string | undefined = `?state=${state}`;
      while (page !== undefined) {
        const answer = await readFromApi(api, vendor, `ScorecardExchange${page}`, requestDeadline(), signal);
        const { cards, next } = answer as { cards: CardStatus[]; next?: string };
        externalIds.push(...cards.map(({ externalId }) => externalId));
        page = next;
      }
      return externalIds;
    },
  };
}

/** Why a card is not delivered, in one line; empty if nothing has failed. */
export function failureOf({ state, lastError, paused }: CardStatus): string {
  const error = lastError ?? paused?.lastError;
  if (error === undefined || state === "delivered" || state === "withdrawn") return "";
  return error.status === undefined ? error.message : `HTTP ${error.status}: ${error.message}`;
}
