import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Account, ApiSet } from "../../core/accounts/account.ts";
import { basicAuthorization } from "../../core/accounts/account.ts";
import { authenticate } from "../../core/accounts/authenticate.ts";
import { hashPassword, newPassword } from "../../core/accounts/password.ts";
import { bundleEach } from "../../lib/bundles.ts";
import { localCredentials } from "../../packages/local-aws/environment.ts";
import type { AccountTableReady } from "../account-table-process.ts";
import type { BenchRow } from "../bench-row.ts";
import { startOwnProcess } from "../own-process.ts";

const checks = 10_000;
/** Checks that do not count, since the compiler is still at work in them. */
const warmUpChecks = 3_000;

/** The flood that must not keep a processor busy. */
const floodPerSecond = 1_000;
const maxProcessorShare = 0.1;

const known: Account = {
  username: "green",
  apiSet: "green" as ApiSet,
  resources: [],
  passwordHash: hashPassword(newPassword()),
  disabled: false,
};

/** A wrong password of the known account. */
const wrongAuthorization = () => basicAuthorization({ username: known.username, password: newPassword() });

/** The same and, every other time, one of an account that does not exist. */
function wrongOrUnknown(check: number): string {
  if (check % 2 === 0) return wrongAuthorization();
  return basicAuthorization({ username: `unknown-${check}`, password: newPassword() });
}

/** Processor milliseconds of this process that a wrong password takes. */
async function processorTime(
  check: (authorization: string) => Promise<unknown>,
  authorization: (check: number) => string = wrongOrUnknown,
): Promise<number> {
  const authorizations = Array.from({ length: checks }, (_, number) => authorization(number));
  for (const authorization of authorizations.slice(0, warmUpChecks)) await check(authorization);
  const before = process.cpuUsage();
  for (const authorization of authorizations) await check(authorization);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / checks;
}

/** The user name is too long to be looked up: everything is done but the read of the table. */
const unreadAuthorization = basicAuthorization({ username: "x".repeat(300), password: newPassword() });

/** The bundle of `authorize`, with an account table that is in another process. */
async function inBundledHandler() {
  const { username, passwordHash } = known;
  const table = await startOwnProcess<AccountTableReady>(
    new URL("../account-table-process.ts", import.meta.url),
    { username, passwordHash },
  );
  Object.assign(process.env, {
    ACCOUNT_TABLE: "accounts",
    AWS_REGION: "eu-north-1",
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: table.ready.address,
  });
  try {
    const bundle = join(
      bundleEach({ authorize: "functions/authorize/handler.ts" }),
      "authorize",
      "index.mjs",
    );
    const { handler } = await import(pathToFileURL(bundle).href);
    const methodArn = "arn:aws:execute-api:eu-north-1:1:api/test/GET/green/Clubs";
    const ask = async (authorization: string) => {
      const event = { methodArn, headers: { Authorization: authorization } };
      const result = await handler(event, {}).catch(({ message }: Error) => message);
      if (result !== "Unauthorized") {
        throw new Error(`A wrong password got ${JSON.stringify(result)} instead of Unauthorized.`);
      }
    };
    return {
      newNames: await processorTime(ask),
      oneAccount: await processorTime(ask, wrongAuthorization),
      withoutRead: await processorTime(() => ask(unreadAuthorization)),
    };
  } finally {
    await table.stop();
  }
}

/** What wrong passwords cost a processor: checking them, and all that the function `authorize` does for one. */
export async function run(): Promise<BenchRow[]> {
  const find = async (username: string) => (username === known.username ? known : undefined);
  const alone = await processorTime((authorization) => authenticate(authorization, find));
  const bundled = await inBundledHandler();
  const share = (milliseconds: number) => (milliseconds / 1_000) * floodPerSecond;
  return [
    { name: "checking 1,000 wrong passwords", value: alone * 1_000, unit: "ms" },
    { name: "  1,000 a second, of a processor", value: share(alone), unit: "x", bar: maxProcessorShare },
    { name: "`authorize` but for its table: 1,000", value: bundled.withoutRead * 1_000, unit: "ms" },
    {
      name: "  1,000 a second, of a processor",
      value: share(bundled.withoutRead),
      unit: "x",
      bar: maxProcessorShare,
    },
    { name: "`authorize`, half of the names new: 1,000", value: bundled.newNames * 1_000, unit: "ms" },
    { name: "  1,000 a second, of a processor", value: share(bundled.newNames), unit: "x" },
    { name: "`authorize`, of one account: 1,000", value: bundled.oneAccount * 1_000, unit: "ms" },
    {
      name: "  1,000 a second, of a processor",
      value: share(bundled.oneAccount),
      unit: "x",
      bar: maxProcessorShare,
    },
  ];
}
