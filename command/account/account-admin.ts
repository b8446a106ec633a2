import { APIGatewayClient, FlushStageAuthorizersCacheCommand } from "@aws-sdk/client-api-gateway";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Account, AccountClub, ApiSet } from "../../core/accounts/account.ts";
import { accountTable } from "../../core/accounts/account-table.ts";
import { usageKeys } from "../../core/accounts/usage-keys.ts";
import { isUnfinished } from "../../core/cards/delivery/posts.ts";
import type { UnionAccount } from "../../core/union/account-secrets.ts";
import { putUnionAccount, removeUnionAccount } from "../../core/union/union-secrets.ts";
import type { WebhookEndpoint } from "../../core/webhooks/endpoint.ts";
import { feedReader } from "../../core/webhooks/feed-table.ts";
import { countPending } from "../../core/webhooks/shown-endpoint.ts";
import { dataKeyAlias } from "../../lib/stage-settings.ts";
import { findTarget } from "../base/find-target.ts";
import { findClub, namedClub } from "../base/named-club.ts";
import { type ScannedTable, scanCards } from "../base/scan-cards.ts";
import { type PlanName, planNames, planOutputs, type TargetStage } from "../base/target.ts";
import type { Terminal } from "../base/terminal.ts";
import { typedCommand } from "../base/typed-command.ts";
import { webhookEndpoints, withholdEvents } from "./withhold-events.ts";

/** Manages the vendor accounts of a stage: the account table, API keys and secrets. */
export type AccountAdmin = Awaited<ReturnType<typeof accountAdmin>>;

/** @param terminal of a command that changes something */
export async function accountAdmin(stage: TargetStage, terminal?: Terminal) {
  const target = await findTarget(stage, terminal);
  const { outputs, client } = target;
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const accounts = accountTable(outputs.AccountTableName, dynamodb);
  const gateway = new APIGatewayClient(client("apiGateway"));
  const secrets = new SecretsManagerClient(client("secretsManager"));
  const keys = usageKeys(gateway);
  const keyName = (username: string, plan: PlanName) => `scorecards-${target.stage}-${username}-${plan}`;
  const secretName = (name: string) => `scorecards/${target.stage}/${name}`;
  const putSecret = (name: string, account: UnionAccount) =>
    putUnionAccount(secrets, secretName(name), dataKeyAlias(target.stage), account);
  return {
    api: target.api,
    /** The union's base address. */
    union: outputs.UnionAddress,
    accounts,
    keys,
    /** Creates the API key that counts an account's requests under a plan. */
    createKey: (username: string, plan: PlanName) =>
      keys.create(keyName(username, plan), plan, outputs[planOutputs[plan]]),
    /** Removes the account's keys under all other plans, also those that an interrupted change has left. */
    async removeOtherKeys(username: string, plan: PlanName) {
      for (const other of planNames) {
        if (other !== plan) await keys.removeNamed(keyName(username, other));
      }
    },
    /** The vendors' webhook endpoints. */
    endpoints: () => webhookEndpoints(target),
    /** How many events wait for an endpoint. */
    countPending: (endpoint: WebhookEndpoint) =>
      countPending(endpoint, feedReader(outputs.ActivityTableName, dynamodb, Date.now)),
    withholdEvents: (apiSet: ApiSet) => withholdEvents(target, accounts, apiSet),
    /** How many cards of an API set are to be delivered, by the table of cards: counts lag behind. */
    async countUnfinishedCards(apiSet: ApiSet, note: ScannedTable["note"]) {
      let unfinished = 0;
      const scanned = { dynamodb, table: outputs.ScorecardTableName, note };
      await scanCards(scanned, { vendors: [apiSet], withoutContent: true }, async (cards) => {
        unfinished += cards.filter((card) => card.apiSet === apiSet && isUnfinished(card)).length;
      });
      return unfinished;
    },
    putSecret: (apiSet: ApiSet, account: UnionAccount) => putSecret(`vendor/${apiSet}`, account),
    removeSecret: (apiSet: ApiSet) => removeUnionAccount(secrets, secretName(`vendor/${apiSet}`)),
    /** Stores the pipeline's own credentials at the union, with which it mirrors clubs and courses. */
    putMirrorSecret: (account: UnionAccount) => putSecret("mirror", account),
    /** Empties API Gateway's authorizer cache, so that a change is in effect at once and not after five minutes. */
    async flushAuthorizerCache() {
      const { RestApiId: restApiId } = outputs;
      const flush = new FlushStageAuthorizersCacheCommand({ restApiId, stageName: target.stage });
      await gateway.send(flush).catch((cause: unknown) => {
        throw new Error(
          `The change is stored, but API Gateway still uses what it has cached, for up to five minutes: ${String(cause)}. Run the same command again.`,
          { cause },
        );
      });
    },
    /** The club of an ID or official number that an account is to be bound to. @throws Error if no such club is mirrored */
    async findClub(wanted: string): Promise<AccountClub> {
      const { id, number } = namedClub(await findClub(outputs.ClubTableName, dynamodb, wanted));
      if (number === undefined) throw new Error(`The club ${wanted} has no official number in the register.`);
      return { id, number };
    },
    /** The other accounts of an account's API set. */
    async sharing({ username, apiSet }: Account) {
      const all = await accounts.list();
      return all.filter((other) => other.apiSet === apiSet && other.username !== username);
    },
    /** @throws Error if there is no such account */
    async find(username: string): Promise<Account> {
      const account = await accounts.find(username);
      if (account === undefined) {
        const list = typedCommand("account list", stage);
        throw new Error(`There is no account ${username}. Run \`${list}\` to see the accounts.`);
      }
      return account;
    },
  };
}
