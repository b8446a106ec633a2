/** Where the stack would be at AWS, for names and ARNs. */
export interface AwsEnvironment {
  readonly region: string;
  readonly accountId: string;
  readonly partition: string;
  readonly stackName: string;
}

/** The account of the embedded queue engine, which takes no other. */
export const localAccount = "000000000000";

/** Credentials for engines that check nothing but that there are some. */
export const localCredentials = { accessKeyId: "local", secretAccessKey: "local" };

/** ARN of something at a place; `resource` is what comes after the account. */
export function arn(place: AwsEnvironment, service: string, resource: string): string {
  return `arn:${place.partition}:${service}:${place.region}:${place.accountId}:${resource}`;
}

/** Values of the pseudo parameters at a place. */
export function pseudoParameters(place: AwsEnvironment): Record<string, string> {
  return {
    "AWS::AccountId": place.accountId,
    "AWS::Partition": place.partition,
    "AWS::Region": place.region,
    "AWS::StackId": arn(place, "cloudformation", `stack/${place.stackName}/local`),
    "AWS::StackName": place.stackName,
    "AWS::URLSuffix": "amazonaws.com",
  };
}
