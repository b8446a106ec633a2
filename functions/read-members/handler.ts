import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import type { AccountClub, ApiSet } from "../../core/accounts/account.ts";
import { guidKey, isGuid } from "../../core/formats/identifiers.ts";
import { unavailable } from "../../core/golf/refusal.ts";
import { type UnionAccount, unionAccounts } from "../../core/union/account-secrets.ts";
import { type MemberLookup, memberRegister } from "../../core/union/member-register.ts";
import { recordRegister } from "../../core/union/record-register.ts";
import { answerOperation, type OperationAnswers } from "../http/operation-answers.ts";
import { ProblemError, problem } from "../http/problem.ts";
import type { HttpResponse } from "../http/response.ts";
import { vendorApi } from "../http/vendor-api.ts";
import type { VendorRequest } from "../http/vendor-request.ts";
import { measure } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { type LookedUp, type Lookup, lookupAnswer } from "./lookup-answer.ts";
import { memberNumbers, playerNumber } from "./member-numbers.ts";
import { playersToken } from "./players-token.ts";

const settings = readSettings({
  UNION_BASE_ADDRESS: z.url(),
  /** Missing if the union offers no players' records. */
  RECORDS_API_SET: z.optional(z.string()),
  VENDOR_SECRET_PREFIX: z.string(),
  UNION_TIMEOUT_SECONDS: z.coerce.number(),
});

/** Lambda's own limit of a response; a larger one cannot be passed on. */
const maxMebibytes = 6;

const timeoutMilliseconds = settings.UNION_TIMEOUT_SECONDS * 1000;
const accounts = unionAccounts(sdkClient(SecretsManagerClient), () => new Date());
const members = memberRegister(settings.UNION_BASE_ADDRESS, timeoutMilliseconds);
const records =
  settings.RECORDS_API_SET === undefined
    ? undefined
    : recordRegister(
        settings.UNION_BASE_ADDRESS,
        settings.RECORDS_API_SET,
        timeoutMilliseconds,
        maxMebibytes,
      );

const answers: OperationAnswers<"read-members"> = {
  getGolfer: byNumbers,
  getGolferByAccessToken: byToken,
  getPlayerRecord: playersRecord,
};

/** Looks up a member or a player's record at the union with the vendor's own account. Stores and logs neither. */
export const handler = vendorApi((request) => answerOperation(answers, request));

async function byToken({ apiSet, header }: VendorRequest): Promise<HttpResponse> {
  const token = playersToken(header("token"));
  if (token === undefined) {
    const detail = "Send the player's access token in the header Token.";
    throw new ProblemError(problem(400, "Token missing", detail));
  }
  return lookUp(apiSet, "token", async (account) => memberFound(await members.byToken(account, token)));
}

async function byNumbers({ apiSet, club, header, query }: VendorRequest): Promise<HttpResponse> {
  const numbers = memberNumbers(query);
  checkMember(club, numbers.unionId);
  const token = playersToken(header("token"));
  return lookUp(apiSet, "numbers", async (account) =>
    memberFound(await members.byNumbers(account, numbers, token)),
  );
}

const memberFound = (lookup: MemberLookup): Lookup =>
  lookup.outcome === "found" ? { outcome: "found", json: lookup.member } : lookup;

async function playersRecord(request: VendorRequest): Promise<HttpResponse> {
  const {
    apiSet,
    club,
    path: { clubId = "" },
    query,
  } = request;
  if (records === undefined) {
    throw new ProblemError(problem(404, "No records", "The union offers no players' records."));
  }
  const player = { clubId, unionId: playerNumber(query) };
  checkMember(club, player.unionId, clubId);
  // The ID becomes a segment of a path at the union, in which `..` would lead to another resource.
  if (!isGuid(clubId)) {
    throw new ProblemError(problem(404, "No such club", "The ID of a club is a GUID."));
  }
  return lookUp(apiSet, "record", async (account) => {
    const found = await records.playerRecord(account, player);
    return found.outcome === "found" ? { outcome: "found", json: found.record } : found;
  });
}

/** An account that is bound to a club looks up the members of that club, who are known by their UnionID. */
function checkMember(club: AccountClub | undefined, unionId: string | undefined, clubId?: string): void {
  const isOther =
    club && (Number.parseInt(unionId ?? "", 10) !== club.number || (clubId && guidKey(clubId) !== club.id));
  if (!isOther) return;
  const detail = `This account is bound to a club. Name one of its members by unionID, which begins with ${club.number}-.`;
  throw new ProblemError(problem(403, "Another club's member", detail));
}

async function lookUp(
  apiSet: ApiSet,
  what: LookedUp,
  ask: (account: UnionAccount) => Promise<Lookup>,
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
    if (what !== "token") measure({ CredentialsRefused: 1 }, { by: { apiSet } });
  }
  return lookupAnswer(lookup, what);
}
