import { expect, test } from "vitest";
import { queueRolePolicies } from "../../command/webhook/queue-role.ts";

const access = {
  principal: "arn:aws:iam::999999999999:root",
  externalId: "stage:greens",
  roleNamePrefix: "scorecard-events",
};

test.each([
  [
    "of AWS",
    "https://sqs.eu-west-1.amazonaws.com/123456789012/events.fifo",
    "eu-west-1:123456789012:events.fifo",
  ],
  ["of the local run", "http://sqs.us-east-1.localhost:4100/000000000000/own", "us-east-1:000000000000:own"],
  ["that is none", "events", "*:*:*"],
])(
  "the policies for a queue %s trust our account for one vendor, and let it send only there",
  (_, url, queue) => {
    const { trust, permissions } = queueRolePolicies(access, url);
    expect(trust.Statement).toEqual([
      {
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::999999999999:root" },
        Action: "sts:AssumeRole",
        Condition: { StringEquals: { "sts:ExternalId": "stage:greens" } },
      },
    ]);
    expect(permissions.Statement[0]).toEqual({
      Effect: "Allow",
      Action: "sqs:SendMessage",
      Resource: `arn:aws:sqs:${queue}`,
    });
  },
);
