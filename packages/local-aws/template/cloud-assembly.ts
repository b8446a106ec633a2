import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod";

/** A resource as the template declares it, intrinsics unresolved. */
export interface AssemblyResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>> | undefined;
  readonly DependsOn?: string | readonly string[] | undefined;
  readonly Condition?: string | undefined;
}

/** The sections of a CloudFormation template that the local run reads. */
interface Template {
  readonly Parameters: Readonly<Record<string, { Type: string; Default?: string | undefined }>>;
  readonly Conditions: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, AssemblyResource>>;
  readonly Outputs: Readonly<Record<string, { Value: unknown; Condition?: string | undefined }>>;
}

/** One synthesized stack: its template and the paths of its assets. */
export interface SynthesizedStack {
  readonly name: string;
  /** Region of the stack; undefined if it names none. */
  readonly region: string | undefined;
  readonly template: Template;
  /** Path of a resource's construct within the stack, such as Delivery/DeliveryQueue. */
  readonly constructPath: (logicalId: string) => string;
  /** Absolute path of a file asset, by the key it would have in the bootstrap bucket. */
  readonly assetPath: (objectKey: string) => string;
}

const metadataSchema = z.record(z.string(), z.array(z.object({ type: z.string(), data: z.unknown() })));

const manifestSchema = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      environment: z.string().optional(),
      dependencies: z.array(z.string()).default([]),
      metadata: metadataSchema.optional(),
      additionalMetadataFile: z.string().optional(),
      properties: z
        .looseObject({ templateFile: z.string().optional(), file: z.string().optional() })
        .default({}),
    }),
  ),
});

const noneUnlessGiven = <T extends z.ZodType>(schema: T) => z.record(z.string(), schema).default({});

const templateSchema = z.strictObject({
  AWSTemplateFormatVersion: z.string().optional(),
  Description: z.string().optional(),
  Metadata: z.unknown().optional(),
  // Rules only matter during a deployment.
  Rules: z.unknown().optional(),
  Outputs: noneUnlessGiven(z.looseObject({ Value: z.unknown(), Condition: z.string().optional() })),
  Parameters: noneUnlessGiven(z.object({ Type: z.string(), Default: z.coerce.string().optional() })),
  Conditions: noneUnlessGiven(z.unknown()),
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.record(z.string(), z.unknown()).optional(),
      DependsOn: z.union([z.string(), z.array(z.string())]).optional(),
      Condition: z.string().optional(),
    }),
  ),
});

const assetsSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.object({ path: z.string().optional() }),
      destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
    }),
  ),
});

async function readJson<T extends z.ZodType>(path: string, schema: T): Promise<z.output<T>> {
  try {
    return schema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (cause) {
    throw new Error(`${path} is missing or not a file of a cloud assembly`, { cause });
  }
}

async function readAssetPaths(assembly: string, files: readonly string[]): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for (const file of files) {
    const assets = await readJson(join(assembly, file), assetsSchema);
    for (const { source, destinations } of Object.values(assets.files)) {
      if (source.path === undefined) continue;
      for (const { objectKey } of Object.values(destinations))
        paths.set(objectKey, resolve(assembly, source.path));
    }
  }
  return paths;
}

/** Construct paths by logical id, from the assembly's metadata. */
function constructPaths(metadata: z.output<typeof metadataSchema>): Map<string, string> {
  const paths = new Map<string, string>();
  for (const [path, entries] of Object.entries(metadata)) {
    // Without the stack's id at the start, and without `Resource` at the end, the name of a construct's main resource.
    const within = path.replace(/^\/[^/]+\//, "").replace(/\/Resource$/, "");
    for (const { type, data } of entries) if (type === "aws:cdk:logicalId") paths.set(String(data), within);
  }
  return paths;
}

/**
 * Reads one stack of a cloud assembly, the folder that `cdk synth` writes.
 *
 * @param assembly the folder, usually cdk.out
 * @param stack artifact id of the stack
 * @throws Error naming the file or stack that is missing or does not have the expected form
 */
export async function readStack(assembly: string, stack: string): Promise<SynthesizedStack> {
  const { artifacts } = await readJson(join(assembly, "manifest.json"), manifestSchema);
  const artifact = artifacts[stack];
  const templateFile = artifact?.properties.templateFile;
  if (artifact?.type !== "aws:cloudformation:stack" || templateFile === undefined) {
    const stacks = Object.keys(artifacts).filter((id) => artifacts[id]?.type === "aws:cloudformation:stack");
    throw new Error(`${assembly} has no stack ${stack}; it has ${stacks.join(", ") || "none"}`);
  }
  const template = await readJson(join(assembly, templateFile), templateSchema);
  const assetManifests = artifact.dependencies.flatMap((id) => artifacts[id]?.properties.file ?? []);
  const assetPaths = await readAssetPaths(assembly, assetManifests);
  const file = artifact.additionalMetadataFile;
  const metadata =
    file === undefined ? artifact.metadata : await readJson(join(assembly, file), metadataSchema);
  const paths = constructPaths(metadata ?? {});
  const region = /^aws:\/\/[^/]+\/(.+)$/.exec(artifact.environment ?? "")?.[1];
  return {
    name: stack,
    region: region === "unknown-region" ? undefined : region,
    template,
    constructPath: (logicalId) => paths.get(logicalId) ?? logicalId,
    assetPath: (objectKey) => {
      const path = assetPaths.get(objectKey);
      if (path === undefined) throw new Error(`stack ${stack} has no asset ${objectKey}`);
      return path;
    },
  };
}
