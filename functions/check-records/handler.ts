import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import type { ApiSet } from "../../core/accounts/account.ts";
import { secretReader } from "../../core/aws/secret-reader.ts";
import { scorecardReader, scorecardWriter } from "../../core/cards/delivery/scorecard-table.ts";
import { recordQuestions } from "../../core/records/ask-for-records.ts";
import { checkRecords, type RecordCheckReport } from "../../core/records/check-records.ts";
import { recordCheckLists } from "../../core/records/record-check-table.ts";
import { foundShares, rowClaims } from "../../core/records/record-evidence-table.ts";
import { clubLister } from "../../core/register/club-table.ts";
import { clubNumber } from "../../core/register/record.ts";
import { unionAccounts } from "../../core/union/account-secrets.ts";
import { memberRegister } from "../../core/union/member-register.ts";
import { recordRegister } from "../../core/union/record-register.ts";
import { consumer } from "../runtime/consumer.ts";
import { log, logError, logInvocation } from "../runtime/log.ts";
import { type Figures, gatherFigures } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";

/**
 * Adds the metrics of a run, and logs its counts.
 *
 * @param refused vendors whose account may read no records, or cannot be read itself
 */
function reportCheck(
  { lateMilliseconds, ...counts }: RecordCheckReport,
  refused: readonly ApiSet[],
  figures: Pick<Figures, "add">,
): void {
  figures.add({
    RecordsFound: counts.recorded,
    RecordsMissing: counts.notRecorded,
    RecordsUncheckable: counts.uncheckable,
    RecordsUnanswered: counts.unanswered,
    RecordAccountsRefused: refused.length,
    RecordCheckDelay: lateMilliseconds / 1000,
  });
  log({ message: "records checked", ...counts, lateMilliseconds });
  for (const apiSet of refused) {
    logError({ message: "the union refuses a vendor's account the players' records", apiSet });
  }
}

const settings = readSettings({
  SCORECARD_TABLE: z.string(),
  ACTIVITY_TABLE: z.string(),
  CLUB_TABLE: z.string(),
  UNION_BASE_ADDRESS: z.url(),
  RECORDS_API_SET: z.string(),
  VENDOR_SECRET_PREFIX: z.string(),
  /** Missing if records are read with the account of each card's vendor. */
  RECORDS_SECRET: z.optional(z.string()),
  /** The secret of the hash under which claimed rows are kept. */
  RECORD_HASH_SECRET: z.string(),
  RECORD_CHECK_FIRST_SECONDS: z.coerce.number(),
  RECORD_CHECK_LAST_SECONDS: z.coerce.number(),
  RECORD_CHECK_PARALLEL_REQUESTS: z.coerce.number(),
});

const unionTimeoutMilliseconds = 10_000;
/** With less time left no request is sent: the last responses may take their full timeout, and are stored after that. */
const reserveMilliseconds = unionTimeoutMilliseconds + 10_000;

const now = () => new Date();
const dynamodb = sdkClient(DynamoDBClient);
const secrets = sdkClient(SecretsManagerClient);
const accounts = unionAccounts(secrets, now);
const claims = rowClaims(
  settings.ACTIVITY_TABLE,
  dynamodb,
  secretReader(secrets, settings.RECORD_HASH_SECRET),
);
const shares = foundShares(settings.ACTIVITY_TABLE, dynamodb);
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

const members = memberRegister(settings.UNION_BASE_ADDRESS, unionTimeoutMilliseconds);
const table = {
  ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
  ...scorecardWriter(settings.SCORECARD_TABLE, dynamodb),
};
const figures = gatherFigures();

/** Name of the secret with the account that reads the records of a vendor's players. */
const nameRecordsSecret = (apiSet: ApiSet) =>
  settings.RECORDS_SECRET ?? settings.VENDOR_SECRET_PREFIX + apiSet;

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
export const handler = consumer({
  logInvocation,
  event: z.unknown(),
  figures,
  run: async (_event, remainingMilliseconds) => {
    const refused: ApiSet[] = [];
    let ids: Promise<ReadonlyMap<number, string>> | undefined;
    const lists = recordCheckLists(settings.ACTIVITY_TABLE, dynamodb, timing);
    const ask = recordQuestions({
      account: (apiSet) => accounts.get(nameRecordsSecret(apiSet)),
      vendorAccount: (apiSet) => accounts.get(settings.VENDOR_SECRET_PREFIX + apiSet),
      clubIds: () => (ids ??= clubIds()),
      playerRecord,
      members,
      recordGivenAt: lists.recordGivenAt,
      recordGiven: () => lists.recordGiven(now().getTime()),
      refused: (apiSet) => void refused.push(apiSet),
    });
    const report = await checkRecords(
      {
        lists,
        table,
        claims,
        shares,
        ask,
        parallelRequests: settings.RECORD_CHECK_PARALLEL_REQUESTS,
        timing,
        now,
      },
      () => remainingMilliseconds() < reserveMilliseconds,
    );
    for (const apiSet of refused) {
      accounts.forget(settings.VENDOR_SECRET_PREFIX + apiSet);
      accounts.forget(nameRecordsSecret(apiSet));
    }
    reportCheck(report, refused, figures);
    return { ...report, refused: refused.length };
  },
});
