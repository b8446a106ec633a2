import { APIGatewayClient, FlushStageAuthorizersCacheCommand } from "@aws-sdk/client-api-gateway";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Account } from "../../core/accounts/account.ts";
import type { ApiSet } from "../../core/accounts/api-set.ts";
import { type AccountTable, accountTable } from "../../core/dynamodb/accounts.ts";
import { putUnionAccount } from "../../core/dynamodb/union-secrets.ts";
import { type UsageKeys, usageKeys } from "../../core/dynamodb/usage-keys.ts";
import type { UnionAccount } from "../../core/union/account.ts";
import { dataKeyAlias } from "../../lib/settings.ts";
import { findTarget } from "../find-target.ts";
import { type PlanName, planOutputs, type TargetStage } from "../target.ts";

/** Manages the vendor accounts of a stage: the account table, API keys and secrets. */
export interface AccountAdmin {
  readonly api: string;
  readonly accounts: AccountTable;
  readonly keys: UsageKeys;
  /** Creates the API key that counts an account's requests under a plan. */
  createKey(username: string, plan: PlanName): ReturnType<UsageKeys["create"]>;
  /** Stores a vendor's credentials at the union. */
  putSecret(apiSet: ApiSet, account: UnionAccount): Promise<void>;
  /** Stores the pipeline's own credentials at the union, with which it mirrors clubs and courses. */
  putMirrorSecret(account: UnionAccount): Promise<void>;
  /** Empties API Gateway's authorizer cache, so that a change is in effect at once and not after five minutes. */
  flushAuthorizerCache(): Promise<void>;
  /** @throws Error if there is no such account */
  find(username: string): Promise<Account>;
}

export async function accountAdmin(stage: TargetStage): Promise<AccountAdmin> {
  const target = await findTarget(stage);
  const { outputs, client } = target;
  const accounts = accountTable(outputs.AccountTableName, new DynamoDBClient(client("dynamodb")));
  const gateway = new APIGatewayClient(client("apiGateway"));
  const secrets = new SecretsManagerClient(client("secretsManager"));
  const keys = usageKeys(gateway);
  const putSecret = (name: string, account: UnionAccount) =>
    putUnionAccount(secrets, `scorecards/${target.stage}/${name}`, dataKeyAlias(target.stage), account);
  return {
    api: target.api,
    accounts,
    keys,
    createKey: (username, plan) =>
      keys.create(`scorecards-${target.stage}-${username}-${plan}`, plan, outputs[planOutputs[plan]]),
    putSecret: (apiSet, account) => putSecret(`vendor/${apiSet}`, account),
    putMirrorSecret: (account) => putSecret("mirror", account),
    async flushAuthorizerCache() {
      const { RestApiId: restApiId } = outputs;
      await gateway.send(new FlushStageAuthorizersCacheCommand({ restApiId, stageName: target.stage }));
    },
    async find(username) {
      const account = await accounts.find(username);
      if (account === undefined)
        throw new Error(
          `There is no account ${username}. Run \`scorecards account list\` to see the accounts.`,
        );
      return account;
    },
  };
}
