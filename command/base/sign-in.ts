import {
  CloudFormationClient,
  DescribeStacksCommand,
  type Stack as StackDescription,
} from "@aws-sdk/client-cloudformation";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { defaultProvider } from "@aws-sdk/credential-provider-node";
import { askFor } from "./ask-for.ts";
import { commandProcess } from "./command-process.ts";

/** Finds AWS credentials as the AWS command line does, and keeps them. */
export type Credentials = ReturnType<typeof defaultProvider>;

/** The credentials of a command, and why a source of credentials had none. */
export interface SignIn {
  readonly credentials: Credentials;
  readonly tried: readonly string[];
}

/** Reads the code of a device for multi-factor authentication from the terminal. */
async function askForCode(serial: string): Promise<string> {
  if (commandProcess().stdin.isTTY !== true)
    throw new Error(`${serial} asks for a code, and this is no terminal. Run the command in one.`);
  return await askFor(`MFA code of ${serial}: `);
}

/** The SDK notes what each source of credentials said, and throws only what the last one did. */
const noted = /^@smithy\/property-provider (?:->|\(!\)) (.+)/s;
/** What a source of credentials says if it is not configured. */
const unconfigured =
  /^Skipping|skipping|could not be found|did not contain|Unable to find|metadata|not specified|Could not resolve credentials using/i;

/**
 * Signs in to AWS by the environment: keys, a profile with a role, a device, SSO or a process.
 *
 * @param askCode asked once, however many clients share the credentials
 */
export function signIn(askCode: (serial: string) => Promise<string> = askForCode): SignIn {
  const tried: string[] = [];
  const note = (line: unknown) => {
    const [, said = ""] = noted.exec(String(line)) ?? [];
    if (said !== "" && !unconfigured.test(said)) tried.push(said);
  };
  const ignore = () => undefined;
  const logger = { debug: note, info: ignore, warn: ignore, error: ignore };
  return { credentials: defaultProvider({ mfaCodeProvider: askCode, logger }), tried };
}

/** What to do about an error of signing in, by what the SDK or AWS says. */
const advice: readonly (readonly [says: RegExp, todo: (profile: string) => string])[] = [
  [/\bSSO\b/i, (profile) => `Run aws sso login${profile && ` --profile ${profile}`}, then the same command.`],
  [
    /credential_process|Command failed/,
    (profile) => `Correct credential_process of the profile ${profile} in ~/.aws/config.`,
  ],
  [
    /multi-?factor|MFA|mfa|no terminal/,
    () => "Run the command in a terminal, and type the code of the device when it asks.",
  ],
  [
    /expired|security token|not authorized to perform: sts/i,
    () => "Sign in again, or check the profile's role.",
  ],
];

function explainFailure(name: string, cause: Error, tried: readonly string[]): Error {
  const { AWS_PROFILE: profile = "" } = commandProcess().env;
  const said = [...new Set([...tried, cause.message])].map((one) => one.trim().replace(/\.$/, "")).join(". ");
  const todo = advice.find(([says]) => says.test(said))?.[1](profile);
  const isThere = profile
    ? ` AWS_PROFILE is ${profile}: is there such a profile in ~/.aws/config, with a region and credentials?`
    : "";
  const set = `${isThere} Set AWS_REGION, and AWS_PROFILE or AWS_ACCESS_KEY_ID and so on. A vendor needs no AWS credentials: use --api instead of --stage.`;
  return new Error(`The stack ${name} cannot be read: ${said}.${todo ? ` ${todo}` : set}`, { cause });
}

/** Where the credentials lead: for who finds no stack there. */
async function describeAccount({ credentials }: SignIn, region: string): Promise<string> {
  try {
    const { Account, Arn } = await new STSClient({ credentials }).send(new GetCallerIdentityCommand({}));
    return `AWS account ${Account}, ${region}, as ${Arn}`;
  } catch {
    return `this AWS account, ${region}`;
  }
}

/**
 * Reads a stack.
 *
 * @throws Error that says what is wrong with the sign-in, or in which account and region there is no such stack
 */
export async function describeStack(name: string, signedIn: SignIn): Promise<StackDescription | undefined> {
  const client = new CloudFormationClient({ credentials: signedIn.credentials });
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name }));
    return Stacks?.[0];
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    if (/does not exist/.test(cause.message)) {
      const where = await describeAccount(signedIn, await client.config.region());
      throw new Error(
        `The stack ${name} does not exist in ${where}. Check AWS_PROFILE and AWS_REGION, or deploy it.`,
        {
          cause,
        },
      );
    }
    const isOfNetwork = "code" in cause;
    throw isOfNetwork ? cause : explainFailure(name, cause, signedIn.tried);
  }
}
