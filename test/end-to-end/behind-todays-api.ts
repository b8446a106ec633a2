import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stackName } from "../../lib/stage-settings.ts";

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string }>>;
  readonly [part: string]: unknown;
}

const isOfApi = ({ Type }: { readonly Type: string }) =>
  Type.startsWith("AWS::ApiGateway::") || Type === "AWS::Lambda::Permission";

async function readTemplate(assembly: string): Promise<readonly [path: string, template: Template]> {
  const path = join(assembly, `${stackName("test")}.template.json`);
  return [path, JSON.parse(await readFile(path, "utf8"))];
}

/**
 * Puts a release's functions, tables and queues behind today's API: the local run makes an API only of one OpenAPI body, and releases up
 * to 0.2.0 made it of many resources. A function that the API invokes has the same logical ID in both.
 *
 * @param released the release's assembly, which is changed
 * @param current today's assembly
 */
export async function putBehindTodaysApi(released: string, current: string): Promise<void> {
  const [[path, old], [, now]] = await Promise.all([readTemplate(released), readTemplate(current)]);
  const Resources = Object.fromEntries([
    ...Object.entries(old.Resources).filter(([, resource]) => !isOfApi(resource)),
    ...Object.entries(now.Resources).filter(([, resource]) => isOfApi(resource)),
  ]);
  await writeFile(path, JSON.stringify({ ...old, Resources }));
}
