import { randomUUID } from "node:crypto";
import { AssumeRoleCommand, type STSClient } from "@aws-sdk/client-sts";
import type { QueueEndpoint } from "./endpoint.ts";

/** How roles of vendors' accounts are assumed. */
export interface RoleOptions {
  readonly sts: Pick<STSClient, "send">;
  /** The external ID of a vendor, which the trust policy of its role names. */
  readonly externalId: (apiSet: string) => string;
}

/** The role could not be assumed, or anybody's events could. The message is for the vendor. */
export class RoleError extends Error {
  override readonly name = "RoleError";
}

/** What a vendor reads whose role does not protect its queue. */
export const openRoleMessage =
  "Your role does not ask for the external ID, so another vendor could write to your queue by naming it. Have its trust policy require your external ID.";

/** The name of an error of AWS. Its message has names of our account. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && /^[\w.]+$/.test(error.name) ? error.name : "";

const toPolicy = (...Statement: readonly object[]) => JSON.stringify({ Version: "2012-10-17", Statement });

/**
 * What our session of the role may do at most, whatever the role may: send to this queue, and use its key.
 *
 * @see IAM user guide, Session policies
 */
const sessionPolicy = (url: string, region: string, roleArn: string): string => {
  const [, partition] = roleArn.split(":");
  const [, , , accountId, name] = url.split("/");
  const queue = `arn:${partition}:sqs:${region}:${accountId}:${name}`;
  const Condition = { StringLike: { "kms:ViaService": "sqs.*" } };
  return toPolicy(
    { Effect: "Allow", Action: "sqs:SendMessage", Resource: queue },
    { Effect: "Allow", Action: ["kms:GenerateDataKey", "kms:Decrypt"], Resource: "*", Condition },
  );
};

const nothing = toPolicy({ Effect: "Deny", Action: "*", Resource: "*" });

/**
 * Whether a role can be assumed with an external ID that no vendor has. Such a role can be used for every vendor.
 *
 * @throws Error of STS, if it does not say
 * @see IAM user guide, The confused deputy problem
 */
export async function isRoleOpen({ sts, externalId }: RoleOptions, roleArn: string): Promise<boolean> {
  try {
    // Our own policy allows only external IDs of the stage, so the probe is one; no API set has a colon.
    const ExternalId = externalId(`probe:${randomUUID()}`);
    const probe = { RoleArn: roleArn, RoleSessionName: "scorecard-probe", ExternalId, Policy: nothing };
    await sts.send(new AssumeRoleCommand(probe));
    return true;
  } catch (error) {
    if (errorCode(error) === "AccessDenied") return false;
    throw error;
  }
}

/**
 * Credentials of a role, for an hour, as SDK clients take them.
 *
 * The role is probed each time, since its owner may have changed it.
 *
 * @throws RoleError
 */
export async function assumeRole(
  options: RoleOptions,
  { apiSet, url, roleArn }: QueueEndpoint,
  region: string,
) {
  // A probe without an answer must not hold up events.
  if (await isRoleOpen(options, roleArn).catch(() => false)) throw new RoleError(openRoleMessage);
  try {
    const ExternalId = options.externalId(apiSet);
    const Policy = sessionPolicy(url, region, roleArn);
    const session = { RoleArn: roleArn, RoleSessionName: "scorecard-events", ExternalId, Policy };
    const { Credentials } = await options.sts.send(new AssumeRoleCommand(session));
    return {
      accessKeyId: Credentials?.AccessKeyId ?? "",
      secretAccessKey: Credentials?.SecretAccessKey ?? "",
      ...(Credentials?.SessionToken !== undefined && { sessionToken: Credentials.SessionToken }),
      ...(Credentials?.Expiration !== undefined && { expiration: Credentials.Expiration }),
    };
  } catch (cause) {
    const code = errorCode(cause);
    const said = `The role cannot be assumed${code && ` (${code})`}.`;
    const remedy = " Its trust policy has to name our account and your external ID.";
    throw new RoleError(code === "AccessDenied" ? said + remedy : said, { cause });
  }
}
