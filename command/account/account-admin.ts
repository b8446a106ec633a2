import { APIGatewayClient, FlushStageAuthorizersCacheCommand } from "@aws-sdk/client-api-gateway";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Account, ApiSet } from "../../core/accounts/account.ts";
import { type AccountTable, accountTable } from "../../core/accounts/account-table.ts";
import { type UsageKeys, usageKeys } from "../../core/accounts/usage-keys.ts";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import { isUnfinished } from "../../core/cards/delivery/posts.ts";
import { storedCard } from "../../core/cards/delivery/scorecard-table.ts";
import type { UnionAccount } from "../../core/union/account-secrets.ts";
import { putUnionAccount, removeUnionAccount } from "../../core/union/union-secrets.ts";
import type { WebhookEndpoint } from "../../core/webhooks/endpoint.ts";
import type { WebhookTable } from "../../core/webhooks/endpoint-table.ts";
import { feedReader } from "../../core/webhooks/feed-table.ts";
import { countPending } from "../../core/webhooks/pending-events.ts";
import { dataKeyAlias } from "../../lib/stage-settings.ts";
import { findTarget } from "../base/find-target.ts";
import { type PlanName, planNames, planOutputs, type TargetStage } from "../base/target.ts";
import type { Terminal } from "../base/terminal.ts";
import { typedCommand } from "../base/typed-command.ts";
import { webhookEndpoints, withholdEvents } from "./withhold-events.ts";

/** Manages the vendor accounts of a stage: the account table, API keys and secrets. */
export interface AccountAdmin {
  readonly api: string;
  /** The union's base address. */
  readonly union: string;
  readonly accounts: AccountTable;
  readonly keys: UsageKeys;
  /** The vendors' webhook endpoints. @throws Error if the stack has none */
  endpoints(): WebhookTable;
  /** How many events wait for an endpoint. */
  countPending(endpoint: WebhookEndpoint): Promise<number>;
  /**
   * Has the events of vendors kept, and not sent, whose accounts are all disabled, and those of others sent.
   *
   * @returns how many endpoints of the API set have their events kept
   */
  withholdEvents(apiSet: ApiSet): Promise<number>;
  /** How many cards of an API set are to be delivered, by the table of cards: counts lag behind. */
  countUnfinishedCards(apiSet: ApiSet): Promise<number>;
  /** Creates the API key that counts an account's requests under a plan. */
  createKey(username: string, plan: PlanName): ReturnType<UsageKeys["create"]>;
  /** Removes the account's keys under all other plans, also those that an interrupted change has left. */
  removeOtherKeys(username: string, plan: PlanName): Promise<void>;
  putSecret(apiSet: ApiSet, account: UnionAccount): Promise<void>;
  removeSecret(apiSet: ApiSet): Promise<void>;
  /** Stores the pipeline's own credentials at the union, with which it mirrors clubs and courses. */
  putMirrorSecret(account: UnionAccount): Promise<void>;
  /** Empties API Gateway's authorizer cache, so that a change is in effect at once and not after five minutes. */
  flushAuthorizerCache(): Promise<void>;
  /** @throws Error if there is no such account */
  find(username: string): Promise<Account>;
  /** The other accounts of an account's API set. */
  sharing(account: Account): Promise<Account[]>;
}

/** @param terminal of a command that changes something */
export async function accountAdmin(stage: TargetStage, terminal?: Terminal): Promise<AccountAdmin> {
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
    union: outputs.UnionAddress,
    accounts,
    keys,
    createKey: (username, plan) => keys.create(keyName(username, plan), plan, outputs[planOutputs[plan]]),
    async removeOtherKeys(username, plan) {
      for (const other of planNames) {
        if (other !== plan) await keys.removeNamed(keyName(username, other));
      }
    },
    endpoints: () => webhookEndpoints(target),
    countPending: (endpoint) =>
      countPending(endpoint, feedReader(outputs.ActivityTableName, dynamodb, Date.now)),
    withholdEvents: (apiSet) => withholdEvents(target, accounts, apiSet),
    async countUnfinishedCards(apiSet) {
      let unfinished = 0;
      await scanInSegments(dynamodb, outputs.ScorecardTableName, async (items) => {
        const cards = items.flatMap((item) => storedCard(item) ?? []);
        unfinished += cards.filter((card) => card.apiSet === apiSet && isUnfinished(card)).length;
      });
      return unfinished;
    },
    putSecret: (apiSet, account) => putSecret(`vendor/${apiSet}`, account),
    removeSecret: (apiSet) => removeUnionAccount(secrets, secretName(`vendor/${apiSet}`)),
    putMirrorSecret: (account) => putSecret("mirror", account),
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
    async sharing({ username, apiSet }) {
      const all = await accounts.list();
      return all.filter((other) => other.apiSet === apiSet && other.username !== username);
    },
    async find(username) {
      const account = await accounts.find(username);
      if (account === undefined) {
        const list = typedCommand("account list", stage);
        throw new Error(`There is no account ${username}. Run \`${list}\` to see the accounts.`);
      }
      return account;
    },
  };
}
