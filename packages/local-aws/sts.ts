import { ServiceError } from "./base/json-endpoint.ts";
import type { LoopbackServer } from "./base/loopback-server.ts";
import { startQueryService } from "./query-service.ts";

/** Whether a role trusts a caller that gives an external ID; undefined if it gives none. */
export type RoleTrust = (roleArn: string, externalId: string | undefined) => boolean;

const sessionSeconds = 3600;

/** The credentials of a session. The engines accept any, so they allow no more and no less than others. */
function assumed(roleArn: string, sessionName: string): string {
  const session = `${roleArn.replace(":iam:", ":sts:").replace(":role/", ":assumed-role/")}/${sessionName}`;
  const expiration = new Date(Date.now() + sessionSeconds * 1000).toISOString();
  return `<Credentials><AccessKeyId>ASIALOCAL</AccessKeyId><SecretAccessKey>local</SecretAccessKey><SessionToken>local</SessionToken><Expiration>${expiration}</Expiration></Credentials><AssumedRoleUser><Arn>${session}</Arn><AssumedRoleId>AROALOCAL:${sessionName}</AssumedRoleId></AssumedRoleUser>`;
}

/**
 * Starts STS on 127.0.0.1, as far as functions use it: AssumeRole, for roles of anybody's accounts that trust the caller.
 *
 * @param trusts asked for each request
 */
export const startSts = (trusts: RoleTrust): Promise<LoopbackServer> =>
  startQueryService("https://sts.amazonaws.com/doc/2011-06-15/", {
    AssumeRole(fields) {
      const roleArn = fields.get("RoleArn") ?? "";
      if (!/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/.test(roleArn)) {
        throw new ServiceError("ValidationError", "RoleArn is not the ARN of a role.");
      }
      if (!trusts(roleArn, fields.get("ExternalId") ?? undefined)) {
        throw new ServiceError(
          "AccessDenied",
          "The caller is not authorized to perform sts:AssumeRole.",
          403,
        );
      }
      return assumed(roleArn, (fields.get("RoleSessionName") ?? "session").replaceAll(/[^\w=,.@-]/g, ""));
    },
  });
