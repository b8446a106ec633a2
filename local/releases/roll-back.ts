import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lastingResources, type TemplateResource } from "../../lib/releases/lasting-resources.ts";
import { type Stage, stackName } from "../../lib/stage-settings.ts";

/** What a rollback reads and changes of a stack's template. */
export interface StackTemplate {
  readonly Resources: Readonly<Record<string, TemplateResource & { readonly DependsOn?: unknown }>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value?: unknown }>>;
  readonly Parameters?: object;
  readonly Conditions?: object;
}

const isOfApi = ({ Type }: TemplateResource) => /^AWS::(ApiGateway::|WAFv2::|Lambda::Permission$)/.test(Type);

/** The logical IDs that a part of a template names, also in `DependsOn` and `Fn::Sub`. */
function namedIn(part: unknown, ids: ReadonlySet<string>): string[] {
  return (JSON.stringify(part) ?? "").match(/\w+/g)?.filter((word) => ids.has(word)) ?? [];
}

/**
 * The commit that a stage had before the present one; undefined if none is known. A deployment that failed, and one that was rolled
 * back, are no longer before.
 *
 * @param history the commit of each deployment, the oldest first
 */
export function commitBefore(history: readonly string[]): string | undefined {
  const trail: string[] = [];
  for (const commit of history) {
    if (commit === trail.at(-2)) trail.pop();
    else if (commit !== trail.at(-1)) trail.push(commit);
  }
  return trail.at(-2);
}

/**
 * The template with which a stage goes back to a commit: the commit's functions behind the API that is deployed, which CloudFormation
 * leaves as it is, with its address. What holds data stays, and so does what all this refers to. It says which commit it is.
 */
export function behindDeployedApi<T extends StackTemplate>(
  released: T,
  deployed: StackTemplate,
  commit: string,
): T {
  const lasting = lastingResources(deployed.Resources);
  const ids = new Set(Object.keys(deployed.Resources));
  const merged = new Map(Object.entries(released.Resources).filter(([, one]) => !isOfApi(one)));
  const stays = (id: string, one: TemplateResource) => isOfApi(one) || (id in lasting && !merged.has(id));
  const wanted = Object.entries(deployed.Resources).flatMap(([id, one]) => (stays(id, one) ? [id] : []));
  wanted.push(...namedIn(deployed.Outputs, ids));
  for (let id = wanted.pop(); id !== undefined; id = wanted.pop()) {
    const one = deployed.Resources[id];
    if (one === undefined || merged.has(id)) continue;
    merged.set(id, one);
    wanted.push(...namedIn(one, ids));
  }
  return {
    ...released,
    Parameters: { ...deployed.Parameters, ...released.Parameters },
    Conditions: { ...deployed.Conditions, ...released.Conditions },
    Resources: { ...Object.fromEntries(merged), ...notedCommit(deployed, commit) },
    Outputs: { ...released.Outputs, ...deployed.Outputs, DeployedCommit: { Value: commit } },
  };
}

/** The parameter that says which commit is deployed, if the stage has it. */
const notedCommit = ({ Resources }: StackTemplate, commit: string) =>
  Object.fromEntries(
    Object.entries(Resources)
      .filter(([, { Type }]) => Type === "AWS::SSM::Parameter")
      .map(([id, one]) => [id, { ...one, Properties: { ...one.Properties, Value: commit } }]),
  );

/** The functions' variables that only the operator's settings decide: what the union's cards are, and how long data is kept. */
const settled =
  /^(EXCHANGE_PATH|TIME_ZONE|COUNTRY|SCORES_FOR_HANDICAP|HIGHEST_HANDICAP_INDEX|ROUND_CHECK|RECORDS_API_SET|\w+_RETENTION_DAYS)$/;

const listSettled = ({ Resources }: StackTemplate): ReadonlyMap<string, unknown> =>
  new Map(
    Object.values(Resources).flatMap(({ Properties = {} }) => {
      const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
      return Object.entries(Variables).filter(([name]) => settled.test(name));
    }),
  );

/** Every address in a template that only the operator's settings have: the union's, and who gets mails. */
function listAddresses({ Resources, Outputs }: StackTemplate): string[] {
  const union = JSON.stringify(Outputs?.UnionAddress?.Value)?.match(/https?:\/\/[^"]+/)?.[0];
  const mails = Object.values(Resources).flatMap(({ Type, Properties = {} }) =>
    Type === "AWS::SNS::Subscription" && typeof Properties.Endpoint === "string" ? [Properties.Endpoint] : [],
  );
  return [...(union === undefined ? [] : [union]), ...mails];
}

/**
 * Why a stage must not go back to a commit, a sentence each.
 *
 * @param released the template of the commit
 */
export function rollBackFaults(released: StackTemplate, deployed: StackTemplate): string[] {
  const faults: string[] = [];
  const [stored, known] = [deployed, released].map(({ Outputs }) => Outputs?.DataVersion?.Value ?? "1");
  if (stored !== known)
    faults.push(
      `The stage's data has version ${stored}, and the commit knows ${known}. Restore a backup instead: docs/deploy.md.`,
    );
  const before = listSettled(released);
  for (const [name, value] of listSettled(deployed))
    if (before.has(name) && before.get(name) !== value)
      faults.push(
        `That commit's settings have ${name} ${before.get(name)}, and the stage has ${value}. Commit that setting upon it, and name the new commit with --commit.`,
      );
  const aliases = Object.entries(deployed.Resources).filter(([, { Type }]) => Type === "AWS::Lambda::Alias");
  if (aliases.some(([id]) => !(id in released.Resources)))
    faults.push(
      'The API invokes aliases, which the commit lacks. Set rollout: "allAtOnce" in lib/settings.ts and deploy first.',
    );
  const text = JSON.stringify(released);
  for (const address of listAddresses(deployed).filter(
    (one) => !text.includes(JSON.stringify(one).slice(1, -1)),
  ))
    faults.push(
      `The settings of that commit lack ${address}, which the stage uses. Commit that setting upon it, and name the new commit with --commit.`,
    );
  const after = lastingResources(behindDeployedApi(released, deployed, "").Resources);
  for (const [id, one] of Object.entries(lastingResources(deployed.Resources)))
    if (JSON.stringify(one) !== JSON.stringify(after[id]))
      faults.push(
        `The commit would replace ${id}, with what it holds. Restore a backup instead: docs/deploy.md.`,
      );
  return faults;
}

/** Reads the template of a stage from a cloud assembly. */
export async function readTemplate(assembly: string, stage: Stage): Promise<StackTemplate> {
  return JSON.parse(await readFile(join(assembly, `${stackName(stage)}.template.json`), "utf8"));
}

/**
 * Replaces a stage's template in a cloud assembly. The CDK uploads a template by the hash of its content, and would take the one that it
 * uploaded when the release was deployed; so the assembly names the new hash.
 */
export async function replaceTemplate(
  assembly: string,
  stage: Stage,
  template: StackTemplate,
): Promise<void> {
  const name = stackName(stage);
  const file = `${name}.template.json`;
  const text = JSON.stringify(template, null, 1);
  const hash = createHash("sha256").update(text).digest("hex");
  const assets = join(assembly, `${name}.assets.json`);
  const { files }: { files: Record<string, { source: { path: string } }> } = JSON.parse(
    await readFile(assets, "utf8"),
  );
  const [former] = Object.entries(files).flatMap(([id, { source }]) => (source.path === file ? [id] : []));
  if (former === undefined) throw new Error(`${assets} does not name ${file}. Synthesize the release again.`);
  for (const path of [assets, join(assembly, "manifest.json")])
    await writeFile(path, (await readFile(path, "utf8")).replaceAll(former, hash));
  await writeFile(join(assembly, file), text);
}
