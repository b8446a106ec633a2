import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import type { ApiSet } from "../../core/accounts/api-set.ts";
import { unavailable } from "../../core/refusal.ts";
import { type UnionAccount, unionAccounts } from "../../core/union/account.ts";
import { type MemberLookup, memberRegister } from "../../core/union/member-register.ts";
import { ProblemError, problem } from "../http/problem.ts";
import type { HttpResponse } from "../http/response.ts";
import { type VendorRequest, vendorApi } from "../http/vendor-api.ts";
import { measure } from "../runtime/metrics.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { type LookedUpBy, memberAnswer } from "./member-answer.ts";
import { memberNumbers } from "./member-numbers.ts";
import { playersToken } from "./players-token.ts";

const settings = z
  .object({
    UNION_BASE_ADDRESS: z.url(),
    VENDOR_SECRET_PREFIX: z.string(),
    UNION_TIMEOUT_SECONDS: z.coerce.number(),
  })
  .parse(process.env);

const accounts = unionAccounts(sdkClient(SecretsManagerClient), () => new Date());
const members = memberRegister(settings.UNION_BASE_ADDRESS, settings.UNION_TIMEOUT_SECONDS * 1000);

/** Looks a member up at the union with the vendor's own account; nothing of the member is stored or logged. */
export const handler = vendorApi((request) =>
  request.resource.toLowerCase().endsWith("/golfer_byaccesstoken") ? byToken(request) : byNumbers(request),
);

async function byToken({ apiSet, header }: VendorRequest): Promise<HttpResponse> {
  const token = playersToken(header("token"));
  if (token === undefined) {
    const detail = "Send the player's access token in the header Token.";
    throw new ProblemError(problem(400, "Token missing", detail));
  }
  return lookUp(apiSet, "token", (account) => members.byToken(account, token));
}

async function byNumbers({ apiSet, header, query }: VendorRequest): Promise<HttpResponse> {
  const numbers = memberNumbers(query);
  const token = playersToken(header("token"));
  return lookUp(apiSet, "numbers", (account) => members.byNumbers(account, numbers, token));
}

async function lookUp(
  apiSet: ApiSet,
  by: LookedUpBy,
  ask: (account: UnionAccount) => Promise<MemberLookup>,
): Promise<HttpResponse> {
  const secret = settings.VENDOR_SECRET_PREFIX + apiSet;
  const account = await accounts.get(secret).catch((cause: unknown) => {
    measure({ CredentialsRefused: 1 }, { by: { apiSet } });
    throw unavailable("The account's credentials at the union cannot be read.", { cause });
  });
  const lookup = await ask(account);
  if (lookup.outcome === "refused" && lookup.status === 401) {
    accounts.forget(secret);
    // In a lookup by token, the player's token may be the one that is refused.
    if (by === "numbers") measure({ CredentialsRefused: 1 }, { by: { apiSet } });
  }
  return memberAnswer(lookup, by);
}
