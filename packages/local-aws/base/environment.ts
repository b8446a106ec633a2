/** The AWS account, region and stack that names and ARNs are made from. */
export interface AwsEnvironment {
  readonly region: string;
  readonly accountId: string;
  readonly partition: string;
  readonly stackName: string;
}

/** The account id: the embedded queue engine accepts no other. */
export const localAccount = "000000000000";

/** Credentials for the engines, which accept any. */
export const localCredentials = { accessKeyId: "local", secretAccessKey: "local" };

/** ARN of a resource; `resource` is what follows the account in it. */
export function arn(environment: AwsEnvironment, service: string, resource: string): string {
  return `arn:${environment.partition}:${service}:${environment.region}:${environment.accountId}:${resource}`;
}

/** Values of the CloudFormation pseudo parameters. */
export function pseudoParameters(environment: AwsEnvironment): Record<string, string> {
  return {
    "AWS::AccountId": environment.accountId,
    "AWS::Partition": environment.partition,
    "AWS::Region": environment.region,
    "AWS::StackId": arn(environment, "cloudformation", `stack/${environment.stackName}/local`),
    "AWS::StackName": environment.stackName,
    "AWS::URLSuffix": "amazonaws.com",
  };
}
