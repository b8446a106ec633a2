import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LoopbackServer, startLoopbackServer } from "@scorecard-pipeline/local-aws/loopback-server";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { runAs } from "../../../command/base/command-process.ts";
import { describeStack, signIn } from "../../../command/base/sign-in.ts";

let folder: string;
let aws: LoopbackServer;
/** What the AWS-compatible server was asked: the operation, with the code of a device. */
const asked: string[] = [];
let hasStack = true;

const responses: Readonly<Record<string, string>> = {
  AssumeRole: `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>role</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
    <SessionToken>token</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
  GetCallerIdentity: `<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account>
    <Arn>arn:aws:sts::123456789012:assumed-role/on-call/greenkeeper</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`,
  DescribeStacks: `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>stack</StackName>
    <StackStatus>CREATE_COMPLETE</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
};
const missing = `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>
  <Message>Stack with id stack does not exist</Message></Error></ErrorResponse>`;

const config = `
[profile keys]
aws_access_key_id = keys
aws_secret_access_key = secret
[profile device]
role_arn = arn:aws:iam::123456789012:role/on-call
mfa_serial = arn:aws:iam::123456789012:mfa/greenkeeper
source_profile = keys
region = eu-north-1
[profile role]
role_arn = arn:aws:iam::123456789012:role/on-call
source_profile = keys
region = eu-north-1
[profile process]
credential_process = echo '{"Version":1,"AccessKeyId":"process","SecretAccessKey":"secret"}'
region = eu-north-1
[profile broken]
credential_process = echo the vault is sealed >&2 && exit 1
region = eu-north-1
[profile sso]
sso_start_url = https://union.awsapps.example/start
sso_region = eu-north-1
sso_account_id = 123456789012
sso_role_name = on-call
region = eu-north-1
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sign-in-"));
  await writeFile(join(folder, "config"), config);
  await writeFile(
    join(folder, "credentials"),
    "[keys]\naws_access_key_id = keys\naws_secret_access_key = secret\n",
  );
  aws = await startLoopbackServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const action = form.get("Action") ?? "";
    const key = /Credential=(\w+)/.exec(String(request.headers.authorization))?.[1];
    asked.push([action, key, form.get("TokenCode")].filter(Boolean).join(" "));
    const isMissing = action === "DescribeStacks" && !hasStack;
    response.writeHead(isMissing ? 400 : 200, { "Content-Type": "text/xml" });
    response.end(isMissing ? missing : responses[action]);
  });
});
afterAll(async () => {
  await aws?.stop();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  asked.length = 0;
  hasStack = true;
  const environment = {
    HOME: folder,
    AWS_CONFIG_FILE: join(folder, "config"),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, "credentials"),
    AWS_ENDPOINT_URL: aws.address,
    AWS_EC2_METADATA_DISABLED: "true",
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.stubEnv("AWS_REGION", undefined);
});

async function describe(profile: string, askCode = async (_serial: string) => "123456"): Promise<unknown> {
  vi.stubEnv("AWS_PROFILE", profile);
  const signedIn = signIn(askCode);
  return await describeStack("stack", signedIn).catch((error: unknown) => error);
}

test("a profile with a device asks for the code, once for all clients", async () => {
  const serials: string[] = [];
  vi.stubEnv("AWS_PROFILE", "device");
  const signedIn = signIn(async (serial) => {
    serials.push(serial);
    return "123456";
  });
  await describeStack("stack", signedIn);
  await describeStack("stack", signedIn);
  expect(serials).toEqual(["arn:aws:iam::123456789012:mfa/greenkeeper"]);
  expect(asked).toEqual(["AssumeRole keys 123456", "DescribeStacks role", "DescribeStacks role"]);
});

test.each([
  ["role", ["AssumeRole keys", "DescribeStacks role"]],
  ["process", ["DescribeStacks process"]],
])("the profile %s signs in", async (profile, requests) => {
  expect(await describe(profile)).toMatchObject({ StackName: "stack" });
  expect(asked).toEqual(requests);
});

test.each([
  ["broken", /the vault is sealed.* Correct credential_process of the profile broken/s],
  ["sso", /SSO session.* Run aws sso login --profile sso/s],
  ["nobodys", /AWS_PROFILE is nobodys: is there such a profile/],
])("the profile %s says what is wrong and what to do", async (profile, said) => {
  vi.stubEnv("AWS_REGION", "eu-north-1");
  expect(String(await describe(profile))).toMatch(said);
});

test("without a terminal nobody can type a code, which is said", async () => {
  vi.stubEnv("AWS_PROFILE", "device");
  const own = { ...process, env: process.env, stdin: process.stdin, once: () => undefined } as never;
  const error = await runAs(own, () => describeStack("stack", signIn()).catch((one: unknown) => one));
  expect(String(error)).toMatch(/mfa\/greenkeeper asks for a code.* Run the command in a terminal/);
});

test("a stack that does not exist is said with the account, the region and who asked", async () => {
  hasStack = false;
  expect(String(await describe("role"))).toContain(
    "The stack stack does not exist in AWS account 123456789012, eu-north-1, as arn:aws:sts::123456789012:assumed-role/on-call/greenkeeper.",
  );
});
