import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";

/** Whether a role trusts a caller that gives an external ID; undefined if it gives none. */
export type RoleTrust = (roleArn: string, externalId: string | undefined) => boolean;

const namespace = "https://sts.amazonaws.com/doc/2011-06-15/";
const sessionSeconds = 3600;

/** The credentials of a session. The engines accept any, so they allow no more and no less than others. */
function assumed(roleArn: string, sessionName: string): string {
  const session = `${roleArn.replace(":iam:", ":sts:").replace(":role/", ":assumed-role/")}/${sessionName}`;
  const expiration = new Date(Date.now() + sessionSeconds * 1000).toISOString();
  return `<AssumeRoleResponse xmlns="${namespace}"><AssumeRoleResult><Credentials><AccessKeyId>ASIALOCAL</AccessKeyId><SecretAccessKey>local</SecretAccessKey><SessionToken>local</SessionToken><Expiration>${expiration}</Expiration></Credentials><AssumedRoleUser><Arn>${session}</Arn><AssumedRoleId>AROALOCAL:${sessionName}</AssumedRoleId></AssumedRoleUser></AssumeRoleResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></AssumeRoleResponse>`;
}

const refusal = (code: string, message: string) =>
  `<ErrorResponse xmlns="${namespace}"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`;

/**
 * Starts STS on 127.0.0.1, as far as functions use it: AssumeRole, for roles of anybody's accounts that trust the caller.
 *
 * @param trusts asked for each request
 */
export async function startSts(trusts: RoleTrust): Promise<LoopbackServer> {
  return await startLoopbackServer((request, response) => {
    text(request)
      .then((body) => {
        const { status, xml } = answer(new URLSearchParams(body), trusts);
        response.writeHead(status, { "Content-Type": "text/xml" }).end(xml);
      })
      .catch(() => response.destroy());
  });
}

function answer(
  fields: URLSearchParams,
  trusts: RoleTrust,
): { readonly status: number; readonly xml: string } {
  const refused = (status: number, code: string, message: string) => ({
    status,
    xml: refusal(code, message),
  });
  const roleArn = fields.get("RoleArn") ?? "";
  if (fields.get("Action") !== "AssumeRole") {
    return refused(400, "InvalidAction", "The local run knows AssumeRole only.");
  }
  if (!/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/.test(roleArn)) {
    return refused(400, "ValidationError", "RoleArn is not the ARN of a role.");
  }
  if (!trusts(roleArn, fields.get("ExternalId") ?? undefined)) {
    return refused(403, "AccessDenied", "The caller is not authorized to perform sts:AssumeRole.");
  }
  return { status: 200, xml: assumed(roleArn, fields.get("RoleSessionName") ?? "session") };
}
