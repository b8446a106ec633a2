import { join } from "node:path";
import { readStack } from "@scorecard-pipeline/local-aws/template";
import { type FunctionName, functionNames } from "../lib/bundles.ts";

/** A function as a synthesized template deploys it. */
export interface DeployedFunction {
  readonly name: FunctionName;
  readonly logicalId: string;
  /** The module that holds its handler. */
  readonly bundle: string;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
  /** As the template has them: texts, and intrinsic functions of what only a deployment knows. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Reads from a synthesized stack's template what each of its functions is given. */
export async function deployedFunctions(assembly: string, stack: string): Promise<DeployedFunction[]> {
  const { template, constructPath, assetPath } = await readStack(assembly, stack);
  return Object.entries(template.Resources).flatMap(([logicalId, { Type, Properties }]) => {
    const name = functionNames.find((known) => constructPath(logicalId).split("/").at(-1) === known);
    if (Type !== "AWS::Lambda::Function" || name === undefined) return [];
    const { Code, MemorySize, Timeout, Environment } = Properties as {
      Code: { S3Key: string };
      MemorySize: number;
      Timeout: number;
      Environment?: { Variables: Record<string, unknown> };
    };
    return {
      name,
      logicalId,
      bundle: join(assetPath(Code.S3Key), "index.mjs"),
      memoryMegabytes: MemorySize,
      timeoutSeconds: Timeout,
      variables: Environment?.Variables ?? {},
    };
  });
}
