import type { QueueAccess } from "@scorecard-pipeline/scorecards-client";

/** A policy of AWS IAM. */
interface IamPolicy {
  readonly Version: "2012-10-17";
  readonly Statement: readonly Readonly<Record<string, unknown>>[];
}

/** The policies of a role that lets events be sent to a queue. */
interface QueueRolePolicies {
  /** Who may assume it: the pipeline's account, for this vendor alone. */
  readonly trust: IamPolicy;
  /** What it may do: send to the queue, and use the queue's key if it has one of KMS. */
  readonly permissions: IamPolicy;
}

const policy = (...Statement: IamPolicy["Statement"]): IamPolicy => ({ Version: "2012-10-17", Statement });

/**
 * The policies of the role that a queue of a vendor's own AWS account needs.
 *
 * @param access as `queueAccess` answers it
 * @param queueUrl as SQS gives it
 */
export function queueRolePolicies(
  { principal, externalId }: QueueAccess,
  queueUrl: string,
): QueueRolePolicies {
  const [, partition] = principal.split(":");
  const [, region = "*", account = "*", name = "*"] =
    /^https?:\/\/(?:sqs\.([a-z\d-]+)\.)?[^/]+\/(\d{12})\/([\w.-]+)$/.exec(queueUrl) ?? [];
  return {
    trust: policy({
      Effect: "Allow",
      Principal: { AWS: principal },
      Action: "sts:AssumeRole",
      Condition: { StringEquals: { "sts:ExternalId": externalId } },
    }),
    permissions: policy(
      {
        Effect: "Allow",
        Action: "sqs:SendMessage",
        Resource: `arn:${partition}:sqs:${region}:${account}:${name}`,
      },
      {
        Effect: "Allow",
        Action: ["kms:GenerateDataKey", "kms:Decrypt"],
        Resource: "*",
        Condition: { StringLike: { "kms:ViaService": "sqs.*" } },
      },
    ),
  };
}
