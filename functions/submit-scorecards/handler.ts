import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { sendCards } from "../../core/delivery/queue.ts";
import { courseLookup } from "../../core/mirror/course-lookup.ts";
import { clubFinder } from "../../core/store/clubs.ts";
import { courseReader } from "../../core/store/courses.ts";
import { scorecardReader, scorecardWriter } from "../../core/store/scorecards.ts";
import { readHandling } from "../../core/submission/handling.ts";
import { readSubmission } from "../../core/submission/read-submission.ts";
import { createSubmission } from "../../core/submission/submit.ts";
import { unionAccounts } from "../../core/union/account.ts";
import { courseRegister } from "../../core/union/register.ts";
import { leanSdk } from "../lean-sdk.ts";
import { vendorApi } from "../vendor-api.ts";
import { accepted, acceptedInPart } from "./answer.ts";
import { measured } from "./measured.ts";

const settings = z
  .object({
    SCORECARD_TABLE: z.string(),
    CARD_RETENTION_DAYS: z.coerce.number(),
    COURSE_TABLE: z.string(),
    CLUB_TABLE: z.string(),
    DELIVERY_QUEUE_URL: z.string(),
    CORRECTION_DELAY_SECONDS: z.coerce.number(),
    TIME_ZONE: z.string(),
    UNION_BASE_ADDRESS: z.url(),
    MIRROR_SECRET: z.string(),
  })
  .parse(process.env);

/** An unknown course is asked for at the union while the vendor waits. */
const unionTimeoutMilliseconds = 10_000;
const now = () => new Date();
const dynamodb = new DynamoDBClient(leanSdk);
/** What is sent comes whole or not at all, by TLS: comparing sums of each message takes a sixteenth of a submission. */
const queue = new SQSClient({ ...leanSdk, md5: false });
const accounts = unionAccounts(new SecretsManagerClient(leanSdk), now);

const submit = createSubmission({
  cards: {
    ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
    ...scorecardWriter(settings.SCORECARD_TABLE, dynamodb, settings.CARD_RETENTION_DAYS),
  },
  send: (cards) => sendCards(queue, settings.DELIVERY_QUEUE_URL, cards),
  courses: courseLookup({
    courses: courseReader(settings.COURSE_TABLE, dynamodb),
    clubs: clubFinder(settings.CLUB_TABLE, dynamodb),
    union: courseRegister(settings.UNION_BASE_ADDRESS, unionTimeoutMilliseconds),
    account: () => accounts.get(settings.MIRROR_SECRET),
  }),
  now,
  timeZone: settings.TIME_ZONE,
  correctionDelaySeconds: settings.CORRECTION_DELAY_SECONDS,
});

/** Takes a submission of scorecards. */
export const handler = vendorApi(async ({ requestId, apiSet, body, header }) => {
  const handling = readHandling(header("prefer"));
  const answers = await measured(requestId, submit(apiSet, readSubmission(body), handling, requestId));
  return handling === "lenient" ? acceptedInPart(answers) : accepted(answers);
});
