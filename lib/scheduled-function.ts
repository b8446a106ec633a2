import { Validations } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { type IScheduleTarget, ScheduleTargetInput } from "aws-cdk-lib/aws-scheduler";
import type { Construct } from "constructs";

/**
 * Lets EventBridge Scheduler invoke a function, with an event of the schedule's own.
 *
 * The scheduler hands the event over and does not wait, so that Lambda has retries of its own for a run that fails: two,
 * unless it is told otherwise. A run that finds the function's reserved concurrency used up waits for its turn.
 *
 * The library's own target would allow the scheduler to invoke every version of the function as well.
 *
 * @param retries how often an event is handed over again that Lambda did not take, and run again where the run failed
 */
export function scheduled(
  scope: Construct,
  roleId: string,
  invoked: LambdaFunction,
  retries: 0 | 1 | 2,
): (event: Readonly<Record<string, unknown>>) => IScheduleTarget {
  invoked.configureAsyncInvoke({ retryAttempts: retries });
  Validations.of(invoked).acknowledge({
    id: "Serverless-LambdaAsyncFailureDestination",
    reason:
      "An event is the schedule's own and holds nothing that could be lost; that a run failed is alarmed.",
  });
  const role = new Role(scope, roleId, { assumedBy: new ServicePrincipal("scheduler.amazonaws.com") });
  role.addToPolicy(
    new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [invoked.functionArn] }),
  );
  return (event) => ({
    bind: () => ({
      arn: invoked.functionArn,
      role,
      input: ScheduleTargetInput.fromObject(event),
      retryPolicy: { maximumRetryAttempts: retries },
    }),
  });
}
