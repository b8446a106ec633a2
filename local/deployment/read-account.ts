import { APIGatewayClient, GetAccountCommand } from "@aws-sdk/client-api-gateway";
import { CloudFormationClient, paginateDescribeStacks } from "@aws-sdk/client-cloudformation";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { DescribeSecretCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { type StageSettings, stackName } from "../../lib/stage-settings.ts";
import { type AccountState, cdkQualifier } from "./deployment-faults.ts";

/** Whether something is there that AWS answers for with an error of that name if it is not. */
const isThere = (reading: Promise<unknown>, missing: string): Promise<boolean> =>
  reading.then(
    () => true,
    (error: Error) => {
      if (error.name === missing) return false;
      throw error;
    },
  );

/** All stacks of the account in this region but deleted ones. */
export async function listStacks() {
  const stacks = [];
  for await (const { Stacks = [] } of paginateDescribeStacks({ client: new CloudFormationClient() }, {}))
    stacks.push(...Stacks);
  return stacks;
}

/** Reads what decides whether a stage can be deployed, with the credentials and region of the environment. */
export async function readAccount(settings: StageSettings): Promise<AccountState> {
  const { stage, bootstrapQualifier = cdkQualifier } = settings;
  const lambda = new LambdaClient();
  const version = { Name: `/cdk-bootstrap/${bootstrapQualifier}/version` };
  const secret = { SecretId: `scorecards/${stage}/mirror` };
  const [identity, region, stacks, limits, { cloudwatchRoleArn }, isBootstrapped, hasMirrorSecret] =
    await Promise.all([
      new STSClient().send(new GetCallerIdentityCommand({})),
      lambda.config.region(),
      listStacks(),
      lambda.send(new GetAccountSettingsCommand({})),
      new APIGatewayClient().send(new GetAccountCommand({})),
      isThere(new SSMClient().send(new GetParameterCommand(version)), "ParameterNotFound"),
      isThere(
        new SecretsManagerClient().send(new DescribeSecretCommand(secret)),
        "ResourceNotFoundException",
      ),
    ]);
  const stack = stacks.find(({ StackName }) => StackName === stackName(stage));
  return {
    account: identity.Account ?? "",
    region,
    stack: stack && {
      status: stack.StackStatus ?? "",
      isProtected: stack.EnableTerminationProtection ?? false,
    },
    unreservedRuns: limits.AccountLimit?.UnreservedConcurrentExecutions ?? 0,
    hasLogRole: Boolean(cloudwatchRoleArn),
    isBootstrapped,
    hasMirrorSecret,
  };
}
