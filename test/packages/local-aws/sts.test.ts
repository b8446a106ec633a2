import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { afterAll, expect, test } from "vitest";
import { startSts } from "../../../packages/local-aws/sts.ts";

const server = await startSts((role, externalId) => role.endsWith("/partner") && externalId === "of us");
const sts = new STSClient({ endpoint: server.address, region: "eu-north-1", credentials: localCredentials });
afterAll(async () => {
  sts.destroy();
  await server.stop();
});

const assume = (role: string, ExternalId?: string) =>
  sts.send(
    new AssumeRoleCommand({
      RoleArn: `arn:aws:iam::123456789012:role/${role}`,
      RoleSessionName: "test",
      ...(ExternalId !== undefined && { ExternalId }),
    }),
  );

test("a role that trusts the caller gives credentials for an hour", async () => {
  const { Credentials, AssumedRoleUser } = await assume("partner", "of us");
  expect(Credentials).toMatchObject({ AccessKeyId: expect.any(String), SecretAccessKey: expect.any(String) });
  const minutes = ((Credentials?.Expiration?.getTime() ?? 0) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(55);
  expect(AssumedRoleUser?.Arn).toBe("arn:aws:sts::123456789012:assumed-role/partner/test");
});

test.each([
  ["another role", "admin", "of us"],
  ["another external ID", "partner", "of others"],
  ["no external ID", "partner", undefined],
])("a role does not trust a caller with %s", async (_, role, externalId) => {
  await expect(assume(role, externalId)).rejects.toMatchObject({ name: "AccessDenied" });
});

test("what is no role, and what is no AssumeRole, is refused with AWS's errors", async () => {
  await expect(assume("")).rejects.toMatchObject({ name: "ValidationError" });
});
