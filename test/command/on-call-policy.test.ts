import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { expect, test } from "vitest";

interface Policy {
  readonly Statement: readonly {
    readonly Action: readonly string[];
    readonly Resource: string | readonly string[];
  }[];
}

const policy: Policy = JSON.parse(readFileSync("docs/examples/on-call-policy.json", "utf8"));
const allowed = policy.Statement.flatMap(({ Action }) => Action);

/** Actions whose names differ from those of the SDK's commands. */
const permittedBy: Readonly<Record<string, readonly string[]>> = {
  "api-gateway:CreateApiKey": ["apigateway:POST"],
  "api-gateway:CreateUsagePlanKey": ["apigateway:POST"],
  "api-gateway:DeleteApiKey": ["apigateway:DELETE"],
  "api-gateway:FlushStageAuthorizersCache": ["apigateway:DELETE"],
  "api-gateway:GetApiKeys": ["apigateway:GET"],
  "api-gateway:GetUsage": ["apigateway:GET"],
  "dynamodb:BatchExecuteStatement": ["dynamodb:PartiQLInsert", "dynamodb:PartiQLUpdate"],
  "sqs:ChangeMessageVisibilityBatch": ["sqs:ChangeMessageVisibility"],
  "sqs:DeleteMessageBatch": ["sqs:DeleteMessage"],
  "sqs:SendMessageBatch": ["sqs:SendMessage"],
};

/** What the command and all that it imports can ask AWS, as `service:Operation`. */
async function callsOfCommand(): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints: ["command/program.ts"],
    bundle: true,
    write: false,
    metafile: true,
    packages: "external",
    splitting: true,
    format: "esm",
    outdir: "command",
  });
  const imports = /import \{([^}]+)\} from "@aws-sdk\/client-([a-z-]+)"/g;
  const calls = Object.keys(metafile.inputs).flatMap((file) =>
    Array.from(readFileSync(file, "utf8").matchAll(imports), ([, names = "", client = ""]) =>
      Array.from(
        names.matchAll(/\b(?:(\w+)Command|paginate(\w+))\b/g),
        ([, operation, paged = operation]) =>
          `${client.replace("secrets-manager", "secretsmanager")}:${paged}`,
      ),
    ).flat(),
  );
  return new Set(calls);
}

test("the policy for the person on call allows what the command asks of AWS, and no more", async () => {
  const calls = await callsOfCommand();
  expect(calls.size).toBeGreaterThan(20);
  const needed = [...calls].flatMap((call) => permittedBy[call] ?? [call]);
  expect([...allowed].sort()).toEqual([...new Set(needed)].sort());
});

test("the policy is for one stage: its tables, queues and secrets, and no resource of another kind", () => {
  const resources = policy.Statement.flatMap(({ Resource }) => Resource);
  const broad = policy.Statement.filter(({ Resource }) => Resource === "*").flatMap(({ Action }) => Action);
  expect(broad.filter((action) => !/:(Describe|Get)/.test(action))).toEqual([]);
  const others = resources.filter(
    (one) =>
      one !== "*" && !/STAGE|restored-|apikeys|usageplans|event-source-mapping|PlayerHashSecret/.test(one),
  );
  expect(others).toEqual([]);
});
