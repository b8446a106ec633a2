import { awsLimits, datedFacts } from "../../lib/aws-facts.ts";
import { countReservedRuns } from "../../lib/reserved-runs.ts";
import { type StageSettings, stackName } from "../../lib/stage-settings.ts";

/** The facts of an AWS account that decide whether a deployment succeeds. */
export interface AccountState {
  readonly account: string;
  readonly region: string;
  /** The stage's stack; undefined if there is none. */
  readonly stack?: { readonly status: string; readonly isProtected: boolean } | undefined;
  /** Runs at the same time that no function has reserved. */
  readonly unreservedRuns: number;
  /** Whether API Gateway has a role to write logs. */
  readonly hasLogRole: boolean;
  readonly isBootstrapped: boolean;
  /** Whether there is a secret of the mirror's name. */
  readonly hasMirrorSecret: boolean;
}

/** Days before Node's end of life from which on it is told. */
const noticeDays = 180;
const day = 86_400_000;

/** The qualifier of the CDK's own bootstrap. */
export const cdkQualifier = "hnb659fds";

/** Why a deployment of a stage would fail in this account, and what to do, a sentence each; none if nothing stands in its way. */
export function deploymentFaults(settings: StageSettings, state: AccountState, now: Date): string[] {
  const { account, region, isBootstrapped, hasLogRole } = state;
  const faults: string[] = [];
  if (/^(cn|us-gov|us-iso|eu-isoe)-/.test(region))
    faults.push(
      `The stack is for the partition aws, and ${region} is of another one. Choose another region.`,
    );
  if (!isBootstrapped)
    faults.push(
      `The CDK's bootstrap ${settings.bootstrapQualifier ?? cdkQualifier} is missing. Run npx cdk bootstrap aws://${account}/${region} -c stage=${settings.stage}, with --qualifier if you set one.`,
    );
  if (!hasLogRole) faults.push("API Gateway has no role to write logs. Give it one: docs/deploy.md, step 3.");
  faults.push(...stackFaults(settings, state));
  const { major, endOfLife } = datedFacts.node;
  if (Date.parse(endOfLife) - now.getTime() < noticeDays * day)
    faults.push(
      `Node ${major} of the functions gets no security updates after ${endOfLife}. Update the project first.`,
    );
  return faults;
}

/** Faults of the stack's state, and names that a new stack would find taken. */
function stackFaults(settings: StageSettings, state: AccountState): string[] {
  const { stage } = settings;
  const name = stackName(stage);
  const { status, isProtected } = state.stack ?? { status: "none", isProtected: false };
  if (status.endsWith("_IN_PROGRESS")) return [`${name} is ${status}. Wait until that has ended.`];
  if (status === "UPDATE_ROLLBACK_FAILED")
    return [`${name} is ${status}. Have it continue: docs/runbook.md, its section of that name.`];
  if (status === "ROLLBACK_FAILED" || status === "DELETE_FAILED")
    return [
      `${name} is ${status}. Delete it without what cannot be deleted: aws cloudformation delete-stack --stack-name ${name} --retain-resources ….`,
    ];
  const isNew = status === "none" || status === "ROLLBACK_COMPLETE" || status === "CREATE_FAILED";
  if (!isNew) return [];
  const faults: string[] = [];
  if (isProtected)
    faults.push(
      `${name} is ${status}, and protected. Turn that off, and the CDK deletes it: aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}.`,
    );
  const left = state.unreservedRuns - countReservedRuns(settings);
  const min = Math.min(awsLimits.unreservedRuns, state.unreservedRuns);
  if (left < min)
    faults.push(
      `The stage reserves ${countReservedRuns(settings)} of ${state.unreservedRuns} runs, and AWS keeps ${awsLimits.unreservedRuns}. Ask for more, or set accountConcurrency to "small": docs/deploy.md, step 4.`,
    );
  if (state.hasMirrorSecret)
    faults.push(
      `The name scorecards/${stage}/mirror is taken by a secret of an earlier stack. Delete it: aws secretsmanager delete-secret --force-delete-without-recovery --secret-id scorecards/${stage}/mirror.`,
    );
  return faults;
}
