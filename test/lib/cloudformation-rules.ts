import { awsLimits } from "../../lib/aws-facts.ts";
import { nameIn, type UpdatedTemplate } from "./update-rules.ts";

type Resource = UpdatedTemplate["Resources"][string];

/** An account with at most one stack. */
export interface RuledAccount {
  runs: number;
  hasLogRole: boolean;
  /** Of resources, each with its type. */
  readonly names: Set<string>;
  /** A resource that its service refuses. */
  refused: string | undefined;
  stack?: { status: string; isProtected: boolean; made: readonly Resource[] } | undefined;
}

const refuse = (why: string): never => {
  throw new Error(`ValidationError: ${why}`);
};
const countReserved = (all: readonly Resource[]) =>
  all.reduce((sum, { Properties }) => sum + Number(Properties?.ReservedConcurrentExecutions ?? 0), 0);

/** Why a service refuses a resource beside those that are made; undefined if it does not. */
function findFault(account: RuledAccount, id: string, one: Resource, made: readonly Resource[]) {
  if (id === account.refused) return `${id} is refused`;
  if (account.names.has(nameIn(one) ?? "")) return `${nameIn(one)} already exists`;
  if (one.Type === "AWS::ApiGateway::Stage" && !account.hasLogRole)
    return "CloudWatch Logs role ARN must be set in account settings to enable logging";
  const isReserving = countReserved([one]) > 0;
  return isReserving && account.runs - countReserved([...made, one]) < awsLimits.unreservedRuns
    ? "UnreservedConcurrentExecution below its minimum value"
    : undefined;
}

/** Deletes what does not stay. @returns whether all of that could be deleted */
function deleteAll(account: RuledAccount, made: readonly Resource[], staying: readonly string[]): boolean {
  const going = made.filter(({ DeletionPolicy = "Delete" }) => !staying.includes(DeletionPolicy));
  for (const one of going) account.names.delete(nameIn(one) ?? "");
  return going.every(({ Properties }) => !Properties?.DeletionProtectionEnabled);
}

/** As `cdk deploy`, which deletes a stack whose creation failed, and protects a new one before it is made. */
export function deploy(account: RuledAccount, { Resources }: UpdatedTemplate, isProtected: boolean): void {
  if (account.stack?.status === "ROLLBACK_COMPLETE") runCommand(account, "aws cloudformation delete-stack");
  const { stack } = account;
  if (stack !== undefined) {
    if (!/^(CREATE|UPDATE|UPDATE_ROLLBACK)_COMPLETE$/.test(stack.status))
      refuse(`is in ${stack.status} state and can not be updated`);
    // It is also refused as it was before.
    stack.status = account.refused === undefined ? "UPDATE_COMPLETE" : "UPDATE_ROLLBACK_FAILED";
    if (account.refused !== undefined) refuse(`${account.refused} is refused`);
    return;
  }
  const made: Resource[] = [];
  for (const [id, one] of Object.entries(Resources)) {
    const fault = findFault(account, id, one, made);
    if (fault !== undefined) {
      const isGone = deleteAll(account, made, ["Retain"]);
      account.stack = { status: isGone ? "ROLLBACK_COMPLETE" : "ROLLBACK_FAILED", isProtected, made: [] };
      refuse(fault);
    }
    made.push(one);
    account.names.add(nameIn(one) ?? id);
  }
  account.stack = { status: "CREATE_COMPLETE", isProtected, made };
}

/**
 * Runs a command of the AWS CLI that a page has, by the rules that CloudFormation documents for it.
 *
 * @see AWS CloudFormation user guide: Stack status codes; DeletionPolicy; Protecting a stack; Continue rolling back an update
 */
export function runCommand(account: RuledAccount, line: string): void {
  const { stack } = account;
  const [, service, command] = line.trim().split(/\s+/);
  const [, secret = ""] = /--secret-id (\S+)/.exec(line) ?? [];
  if (service === "secretsmanager") account.names.delete(`AWS::SecretsManager::Secret ["${secret}"]`);
  if (stack === undefined) return;
  if (command === "update-termination-protection") stack.isProtected = line.includes(" --enable");
  if (command === "continue-update-rollback") {
    if (stack.status !== "UPDATE_ROLLBACK_FAILED") refuse(`is in ${stack.status} state`);
    if (account.refused === undefined) stack.status = "UPDATE_ROLLBACK_COMPLETE";
  }
  if (command === "delete-stack") {
    if (stack.isProtected) refuse("cannot be deleted while TerminationProtection is enabled");
    deleteAll(account, stack.made, ["Retain", "RetainExceptOnCreate"]);
    account.stack = undefined;
  }
}
