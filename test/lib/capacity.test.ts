import { expect, test } from "vitest";
import { checkSettings } from "../../lib/check-settings.ts";
import { managedFunctions } from "../../lib/concurrent-functions.ts";
import { settings } from "../../lib/settings.ts";
import type { StageSettings } from "../../lib/stage-settings.ts";
import { templateOf } from "../synthesized-stack.ts";

const capacity: NonNullable<StageSettings["capacity"]> = {
  subnetIds: ["subnet-0123abcd", "subnet-4567ef01"],
  securityGroupIds: ["sg-0123abcd"],
  mostProcessors: 24,
  invocationsAtOnce: 32,
};

/** The functions of a stage by name. */
async function functionsOf(given: StageSettings) {
  const template = await templateOf(given);
  const found = Object.values(template.findResources("AWS::Lambda::Function")).flatMap(({ Properties }) => {
    const name = Properties.Environment?.Variables?.POWERTOOLS_SERVICE_NAME as string | undefined;
    return name === undefined ? [] : [[name, Properties] as const];
  });
  return { template, functions: new Map(found) };
}

test("without the setting every function runs on Lambda as it is", async () => {
  const { template, functions } = await functionsOf(settings.test);
  expect(Object.keys(template.findResources("AWS::Lambda::CapacityProvider"))).toEqual([]);
  for (const properties of functions.values())
    expect(properties).not.toHaveProperty("CapacityProviderConfig");
});

test("with it the functions on a card's way run many invocations at a time on instances of their own", async () => {
  const { template, functions } = await functionsOf({ ...settings.test, capacity });
  const [[id, provider] = ["", undefined], ...others] = Object.entries(
    template.findResources("AWS::Lambda::CapacityProvider"),
  );
  expect(others).toEqual([]);
  expect(provider?.Properties).toMatchObject({
    CapacityProviderScalingConfig: { MaxVCpuCount: 24 },
    // The functions' own architecture.
    InstanceRequirements: { Architectures: ["arm64"] },
    VpcConfig: { SubnetIds: ["subnet-0123abcd", "subnet-4567ef01"], SecurityGroupIds: ["sg-0123abcd"] },
  });
  const managed = [...functions].filter(([, properties]) => "CapacityProviderConfig" in properties);
  expect(managed.map(([name]) => name).sort()).toEqual([...managedFunctions].sort());
  for (const [, properties] of managed) {
    expect(properties.CapacityProviderConfig).toEqual({
      LambdaManagedInstancesCapacityProviderConfig: {
        CapacityProviderArn: { "Fn::GetAtt": [id, "Arn"] },
        ExecutionEnvironmentMemoryGiBPerVCpu: 2,
        PerExecutionEnvironmentMaxConcurrency: 32,
      },
    });
    expect(properties.MemorySize).toBeGreaterThanOrEqual(2048);
    expect(properties).not.toHaveProperty("ReservedConcurrentExecutions");
  }
  // Their limits hold strangers' slowness off the account, or the pressure off the union.
  expect(functions.get("check-players")?.ReservedConcurrentExecutions).toBe(1);
  expect(functions.get("read-members")?.ReservedConcurrentExecutions).toBe(50);
});

test("a wrong setting is named", () => {
  const wrong = { ...capacity, subnetIds: ["vpc-1"], mostProcessors: 4 };
  expect(() => checkSettings({ ...settings.test, capacity: wrong })).toThrow(
    /capacity\.subnetIds[\s\S]*capacity\.mostProcessors/,
  );
});
