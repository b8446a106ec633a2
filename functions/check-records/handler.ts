import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import type { ApiSet } from "../../core/accounts/account.ts";
import { scorecardReader, scorecardWriter } from "../../core/cards/scorecard-table.ts";
import { clubNumber } from "../../core/golf/course.ts";
import { recordQuestions } from "../../core/records/ask-for-records.ts";
import { checkRecords } from "../../core/records/check-records.ts";
import { recordCheckLists } from "../../core/records/record-check-table.ts";
import { clubLister } from "../../core/register/club-table.ts";
import { unionAccounts } from "../../core/union/account-secrets.ts";
import { memberRegister } from "../../core/union/member-register.ts";
import { recordRegister } from "../../core/union/record-register.ts";
import { log, logError, logInvocation } from "../runtime/log.ts";
import { measure } from "../runtime/metrics.ts";
import { sdkClient } from "../runtime/sdk-client.ts";

const settings = z
  .object({
    SCORECARD_TABLE: z.string(),
    ACTIVITY_TABLE: z.string(),
    CLUB_TABLE: z.string(),
    UNION_BASE_ADDRESS: z.url(),
    RECORDS_API_SET: z.string(),
    VENDOR_SECRET_PREFIX: z.string(),
    RECORD_CHECK_FIRST_SECONDS: z.coerce.number(),
    RECORD_CHECK_LAST_SECONDS: z.coerce.number(),
    RECORD_CHECK_PARALLEL_REQUESTS: z.coerce.number(),
  })
  .parse(process.env);

const unionTimeoutMilliseconds = 10_000;
/** With less time left nobody is asked for: the last answers may take their time, and are stored after that. */
const reserveMilliseconds = unionTimeoutMilliseconds + 10_000;

const now = () => new Date();
const dynamodb = sdkClient(DynamoDBClient);
const accounts = unionAccounts(sdkClient(SecretsManagerClient), now);
const clubs = clubLister(settings.CLUB_TABLE, dynamodb);
const timing = {
  first: settings.RECORD_CHECK_FIRST_SECONDS * 1000,
  last: settings.RECORD_CHECK_LAST_SECONDS * 1000,
};
const { playerRecord } = recordRegister(
  settings.UNION_BASE_ADDRESS,
  settings.RECORDS_API_SET,
  unionTimeoutMilliseconds,
);

async function clubIds(): Promise<ReadonlyMap<number, string>> {
  const all = await clubs.all();
  return new Map(
    all.flatMap(({ id, text }) => {
      const number = clubNumber(text);
      return number === undefined ? [] : [[number, id] as const];
    }),
  );
}

/** Looks for delivered cards in the players' records, and returns the counts. */
export const handler = async (_event: unknown, context: Context) => {
  logInvocation(context);
  const refused: ApiSet[] = [];
  let ids: Promise<ReadonlyMap<number, string>> | undefined;
  const lists = recordCheckLists(settings.ACTIVITY_TABLE, dynamodb, timing);
  const ask = recordQuestions({
    account: (apiSet) => accounts.get(settings.VENDOR_SECRET_PREFIX + apiSet),
    clubIds: () => (ids ??= clubIds()),
    playerRecord,
    members: memberRegister(settings.UNION_BASE_ADDRESS, unionTimeoutMilliseconds),
    recordGivenAt: lists.recordGivenAt,
    recordGiven: () => lists.recordGiven(now().getTime()),
    refused: (apiSet) => void refused.push(apiSet),
  });
  const report = await checkRecords(
    {
      lists,
      table: {
        ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
        ...scorecardWriter(settings.SCORECARD_TABLE, dynamodb),
      },
      ask,
      parallelRequests: settings.RECORD_CHECK_PARALLEL_REQUESTS,
      timing,
      now,
    },
    () => context.getRemainingTimeInMillis() < reserveMilliseconds,
  );
  const { lateMilliseconds, ...counts } = report;
  measure({
    RecordsFound: counts.recorded,
    RecordsMissing: counts.notRecorded,
    RecordsUnanswered: counts.unanswered,
    RecordAccountsRefused: refused.length,
    RecordCheckDelay: lateMilliseconds / 1000,
  });
  log({ message: "records checked", ...counts, lateMilliseconds });
  for (const apiSet of refused) {
    accounts.forget(settings.VENDOR_SECRET_PREFIX + apiSet);
    logError({ message: "the union refuses a vendor's account the players' records", apiSet });
  }
  return { ...report, refused: refused.length };
};
