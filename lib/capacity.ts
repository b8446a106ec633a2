import { Stack, Validations } from "aws-cdk-lib";
import { SecurityGroup, Subnet } from "aws-cdk-lib/aws-ec2";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, CapacityProvider, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { StageSettings } from "./stage-settings.ts";

type Capacity = NonNullable<StageSettings["capacity"]>;

/** The least memory of an environment on Lambda Managed Instances, in megabytes. It has one processor. */
export const leastMegabytes = 2048;

const operatorPolicy = "AWSLambdaManagedEC2ResourceOperator";

/** Puts a function on the instances of its stack, of which there is one set for all functions. */
export function runOnCapacity(created: LambdaFunction, capacity: Capacity): void {
  const stack = Stack.of(created);
  const existing = stack.node.tryFindChild("Capacity") as CapacityProvider | undefined;
  const provider = existing ?? capacityProvider(stack, capacity);
  provider.addFunction(created, {
    perExecutionEnvironmentMaxConcurrency: capacity.invocationsAtOnce,
    executionEnvironmentMemoryGiBPerVCpu: leastMegabytes / 1024,
  });
}

function capacityProvider(stack: Stack, { subnetIds, securityGroupIds, mostProcessors }: Capacity) {
  const operatorRole = new Role(stack, "CapacityRole", {
    // AWS documents no condition on the account for this role, unlike for a function's.
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(operatorPolicy)],
  });
  Validations.of(operatorRole).acknowledge({
    id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${operatorPolicy}]`,
    reason:
      "AWS keeps in this policy what Lambda needs to manage the instances; the policy names its own resources.",
  });
  return new CapacityProvider(stack, "Capacity", {
    architectures: [Architecture.ARM_64],
    subnets: subnetIds.map((id) => Subnet.fromSubnetId(stack, `Capacity-${id}`, id)),
    securityGroups: securityGroupIds.map((id) =>
      SecurityGroup.fromSecurityGroupId(stack, `Capacity-${id}`, id),
    ),
    maxVCpuCount: mostProcessors,
    operatorRole,
  });
}
