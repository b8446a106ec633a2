import type { FunctionName } from "../../lib/bundles.ts";
import { engineVariables } from "../../packages/local-aws/functions/function-type.ts";
import { readStack } from "../../packages/local-aws/template/cloud-assembly.ts";
import { type ResourceValues, resolve } from "../../packages/local-aws/template/intrinsics.ts";
import { deployedFunctions } from "../deployed-functions.ts";
import { type MirroredUnion, runningStack } from "../mirrored-union.ts";
import type { RunnableFunction } from "./function-in-own-process.ts";

/**
 * Every function of a stack with the environment that the template gives it, resolved to what runs here.
 *
 * @param stack the one that runs, or one with the same resources and more; those have their logical id for a name
 * @param services addresses beside those of the run, by the name in the SDK's own variables, such as EVENTBRIDGE
 */
export async function runnableFunctions(
  assembly: string,
  stack: string,
  { run, standIn }: MirroredUnion,
  services: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<FunctionName, RunnableFunction>> {
  const { template } = await readStack(assembly, stack);
  const here = (await readStack(assembly, runningStack)).template.Resources;
  const resources = new Map(
    Object.keys(template.Resources).map((logicalId): [string, ResourceValues] => [
      logicalId,
      { ref: logicalId in here ? run.resource(logicalId) : logicalId, attributes: {} },
    ]),
  );
  const scope = {
    parameters: { UnionBaseAddress: standIn.address },
    mappings: template.Mappings,
    conditions: template.Conditions,
    resources,
  };
  const addresses = {
    CLOUDWATCH: run.cloudWatch,
    DYNAMODB: run.dynamodb,
    LAMBDA: run.lambda,
    SQS: run.sqs,
    SECRETS_MANAGER: run.secretsManager,
    ...services,
  };
  const functions = await deployedFunctions(assembly, stack);
  return new Map(
    functions.map(({ variables, ...deployed }) => {
      const own = resolve(variables, scope) as Record<string, string>;
      const environment = { AWS_REGION: run.region, ...own, ...engineVariables(addresses) };
      return [deployed.name, { ...deployed, environment }];
    }),
  );
}
