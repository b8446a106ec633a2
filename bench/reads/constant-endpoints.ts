import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LambdaIntegration } from "aws-cdk-lib/aws-apigateway";
import { Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import type { PipelineStack } from "../../lib/pipeline-stack.ts";
import { VendorApi } from "../../lib/vendor-api.ts";

/** Endpoints that answer with a text, the same each time. */
interface ConstantEndpoints {
  /** The path of one, below the API set. */
  readonly path: (name: string) => string;
  /** Gives one its text, before it is first asked. */
  readonly answerWith: (name: string, text: string) => void;
  /** Takes their files away. */
  readonly remove: () => void;
}

/**
 * Adds endpoints to a stack's API that are the least a function can do: the same authorizer, and an answer that is
 * there already.
 *
 * @param names of the endpoints; each answers at `clubs/{name}`
 */
export function addConstantEndpoints(stack: PipelineStack, names: readonly string[]): ConstantEndpoints {
  const folder = mkdtempSync(join(tmpdir(), "constant-"));
  const code = `import { readFileSync } from "node:fs";
const texts = new Map();
export const handler = async ({ path }) => {
  const name = path.split("/").at(-1);
  if (!texts.has(name)) texts.set(name, readFileSync(${JSON.stringify(folder)} + "/" + name + ".json", "utf8"));
  return { statusCode: 200, headers: { "Content-Type": "application/json; charset=utf-8" }, body: texts.get(name) };
};`;
  const bundle = mkdtempSync(join(tmpdir(), "constant-bundle-"));
  writeFileSync(join(bundle, "index.mjs"), code);
  const constant = new LambdaFunction(stack, "constant", {
    runtime: Runtime.NODEJS_24_X,
    handler: "index.handler",
    code: Code.fromAsset(bundle),
    memorySize: 1024,
  });
  const { api } = stack.node.findAll().find((construct) => construct instanceof VendorApi) as VendorApi;
  const clubs = api.root.getResource("{apiset}")?.getResource("clubs");
  const integration = new LambdaIntegration(constant, { scopePermissionToMethod: false });
  for (const name of names) clubs?.addResource(name).addMethod("GET", integration);
  return {
    path: (name) => `clubs/${name}`,
    answerWith: (name, text) => writeFileSync(join(folder, `${name}.json`), text),
    remove() {
      for (const made of [folder, bundle]) rmSync(made, { recursive: true });
    },
  };
}
