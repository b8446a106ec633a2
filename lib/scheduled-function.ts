import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { type IScheduleTarget, ScheduleTargetInput } from "aws-cdk-lib/aws-scheduler";
import type { Construct } from "constructs";

/**
 * Lets EventBridge Scheduler invoke a function, with an event of the schedule's own. An invocation that fails is not
 * repeated: the next one does what it left undone.
 *
 * The library's own target would allow the scheduler to invoke every version of the function as well.
 */
export function scheduled(
  scope: Construct,
  roleId: string,
  invoked: LambdaFunction,
): (event: Readonly<Record<string, unknown>>) => IScheduleTarget {
  const role = new Role(scope, roleId, { assumedBy: new ServicePrincipal("scheduler.amazonaws.com") });
  role.addToPolicy(
    new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [invoked.functionArn] }),
  );
  return (event) => ({
    bind: () => ({
      arn: invoked.functionArn,
      role,
      input: ScheduleTargetInput.fromObject(event),
      retryPolicy: { maximumRetryAttempts: 0 },
    }),
  });
}
