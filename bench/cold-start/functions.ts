import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleEach, type FunctionName, functionNames } from "../../lib/bundles.ts";
import { settings } from "../../lib/settings.ts";
import { synthesizeStage } from "../../local/pipeline/synthesize-stage.ts";
import { deployedFunctions } from "../deployed-functions.ts";

/** A function as it is deployed, and the least that creates the same clients. */
export interface MeasuredFunction {
  readonly name: FunctionName;
  readonly bundle: string;
  /** A bundle made like it, of a handler that only creates the clients. */
  readonly bare: string;
  /** What only a deployment knows is made up. */
  readonly environment: Readonly<Record<string, string>>;
}

const root = new URL("../../", import.meta.url);
const stackName = "scorecard-pipeline-test";

/** Synthesizes the test stage into a folder, and reads from its template what each function is given. */
export async function measuredFunctions(folder: string): Promise<MeasuredFunction[]> {
  synthesizeStage(folder, settings.test);
  const bare = bareBundles();
  return (await deployedFunctions(folder, stackName)).map(({ name, bundle, variables }) => {
    const environment = Object.entries(variables).map(([variable, value]) => {
      const madeUp = /_(ADDRESS|URL)$/.test(variable) ? "http://127.0.0.1:9/made-up" : "made-up";
      return [variable, typeof value === "string" ? value : madeUp];
    });
    return {
      name,
      bundle,
      bare: join(bare, name, "index.mjs"),
      environment: Object.fromEntries(environment),
    };
  });
}

/** For each function a handler that creates the clients which it creates, and answers. */
function bareBundles(): string {
  const folder = "cdk.out/bare-handlers";
  mkdirSync(new URL(folder, root), { recursive: true });
  const modules = functionNames.map((name) => {
    const module = `${folder}/${name}.ts`;
    const clients = clientsOf(name);
    const imports = clients.map(({ client, from }) => `import { ${client} } from "${from}";`);
    const created = clients.map(({ client }) => `new ${client}()`);
    const code = `${imports.join("\n")}\nconst clients = [${created}];\nexport const handler = async () => ({ statusCode: 200, clients: clients.length });\n`;
    writeFileSync(fileURLToPath(new URL(module, root)), code);
    return [name, module];
  });
  return bundleEach(Object.fromEntries(modules));
}

function clientsOf(name: FunctionName): { client: string; from: string }[] {
  const handler = readFileSync(new URL(`functions/${name}/handler.ts`, root), "utf8");
  const imports = handler.matchAll(/import \{([^}]+)\} from "(@aws-sdk\/client-[^"]+)"/g);
  return [...imports].flatMap(([, names = "", from = ""]) => {
    const client = names.match(/\w+Client\b/)?.[0];
    return client === undefined ? [] : [{ client, from }];
  });
}
