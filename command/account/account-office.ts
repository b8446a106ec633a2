import { APIGatewayClient, FlushStageAuthorizersCacheCommand } from "@aws-sdk/client-api-gateway";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Account } from "../../core/accounts/account.ts";
import type { ApiSet } from "../../core/accounts/api-set.ts";
import { type AccountTable, accountTable } from "../../core/dynamodb/accounts.ts";
import { putUnionAccount } from "../../core/dynamodb/union-secrets.ts";
import { type UsageKeys, usageKeys } from "../../core/dynamodb/usage-keys.ts";
import type { UnionAccount } from "../../core/union/account.ts";
import { dataKeyAlias } from "../../lib/stage.ts";
import { findTarget } from "../find-target.ts";
import { type PlanName, planOutputs, type TargetStage } from "../target.ts";

/** Everything that a vendor account consists of, in one stage. */
export interface AccountOffice {
  readonly api: string;
  readonly accounts: AccountTable;
  readonly keys: UsageKeys;
  /** Makes the key by which an account is counted under a plan. */
  createKey(username: string, plan: PlanName): ReturnType<UsageKeys["create"]>;
  putSecret(apiSet: ApiSet, account: UnionAccount): Promise<void>;
  /** Keeps the pipeline's own credentials at the union, with which it mirrors clubs and courses. */
  putMirrorSecret(account: UnionAccount): Promise<void>;
  /** Has API Gateway ask the authorizer anew, so that a change counts at once and not in five minutes. */
  takeEffect(): Promise<void>;
  /** @throws Error that names the account, where there is none */
  find(username: string): Promise<Account>;
}

/** The account office of a stage. */
export async function accountOffice(stage: TargetStage): Promise<AccountOffice> {
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
    async takeEffect() {
      const { RestApiId: restApiId } = outputs;
      await gateway.send(new FlushStageAuthorizersCacheCommand({ restApiId, stageName: target.stage }));
    },
    async find(username) {
      const account = await accounts.find(username);
      if (account === undefined) throw new Error(`There is no account ${username}.`);
      return account;
    },
  };
}
