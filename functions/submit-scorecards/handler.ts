import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { secretReader } from "../../core/aws/secret-reader.ts";
import { sendWakeUps } from "../../core/cards/delivery/queue.ts";
import { scorecardReader, scorecardWriter } from "../../core/cards/delivery/scorecard-table.ts";
import { postTiming } from "../../core/cards/delivery/timing.ts";
import {
  allowsAnyCorrection,
  hasToken,
  readHandling,
  readSubmission,
} from "../../core/cards/read-submission.ts";
import { refuseBusySandbox } from "../../core/cards/sandbox-busy.ts";
import { createSubmission } from "../../core/cards/submit.ts";
import { dayOf, hourOf } from "../../core/formats/union-time.ts";
import { refusalsOf } from "../../core/views/activity-counts.ts";
import { refusalCounter } from "../../core/views/activity-table.ts";
import { type NamesErased, searchErased } from "../../core/views/erased-persons-table.ts";
import { refusalLog } from "../../core/views/refusal-table.ts";
import { tournamentOf } from "../../core/views/tournament.ts";
import { dailyQuota, quotaSettings } from "../http/daily-quota.ts";
import { vendorApi } from "../http/vendor-api.ts";
import { cardCourseSettings, createCardCourses } from "../runtime/card-courses.ts";
import { measure } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { accepted, acceptedInPart, fits } from "./answer.ts";
import { measured } from "./measured.ts";

const settings = readSettings({
  ...cardCourseSettings,
  SCORECARD_TABLE: z.string(),
  ...quotaSettings,
  CARD_RETENTION_DAYS: z.coerce.number(),
  DELIVERY_QUEUE_URL: z.string(),
  PLAYER_HASH_SECRET: z.string(),
  POST_TIMEOUT_SECONDS: z.coerce.number(),
  COUNTRY: z.string(),
  HIGHEST_HANDICAP_INDEX: z.coerce.number(),
  SANDBOX: z.enum(["on", "off"]),
});

const now = () => new Date();
const dynamodb = sdkClient(DynamoDBClient);
/** TLS protects the messages already; comparing checksums would take a sixteenth of a submission's time. */
const queue = sdkClient(SQSClient, { md5: false as const });
const secrets = sdkClient(SecretsManagerClient);

const countRefusals = refusalCounter(settings.ACTIVITY_TABLE, dynamodb, settings.CARD_RETENTION_DAYS);
const quota = dailyQuota(settings, dynamodb, queue);
const logRefusals = refusalLog(settings.ACTIVITY_TABLE, dynamodb);

const readDigestSecret = secretReader(secrets, settings.PLAYER_HASH_SECRET);

const refuseBusy = refuseBusySandbox(Date.now, () => measure({ SandboxBusy: 1 }));

const submit = createSubmission({
  table: {
    ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
    ...scorecardWriter(settings.SCORECARD_TABLE, dynamodb, settings.CARD_RETENTION_DAYS),
  },
  send: (wakeUps) => sendWakeUps(queue, settings.DELIVERY_QUEUE_URL, wakeUps),
  courses: createCardCourses(settings, { dynamodb, secrets, now }),
  now,
  timeZone: settings.TIME_ZONE,
  country: settings.COUNTRY,
  highestHandicapIndex: settings.HIGHEST_HANDICAP_INDEX,
  hasSandbox: settings.SANDBOX === "on",
  timing: postTiming(settings.POST_TIMEOUT_SECONDS),
  readDigestSecret,
  fits,
});

/** Accepts or refuses a submission of scorecards. */
export const handler = vendorApi(async ({ requestId, apiSet, club, plan, body, header }) => {
  const handling = readHandling(header("prefer"));
  const cards = readSubmission(body, header("content-type"));
  if (settings.SANDBOX === "on") refuseBusy(apiSet, cards);
  const isAny = allowsAnyCorrection(header("prefer"));
  const preferences = { allowsAnyCorrection: isAny, hasToken: hasToken(header("token")), club };
  quota.takeCards({ apiSet, plan }, cards.length);
  const submission = submit(apiSet, cards, handling, requestId, preferences);
  const answers = await measured(requestId, submission, async (faults) => {
    const at = now();
    const hour = hourOf(at.getTime(), settings.TIME_ZONE);
    const today = dayOf(at.getTime(), settings.TIME_ZONE);
    const tournamentAt = (index: number) => tournamentOf(cards[index], today);
    const erased = searchErased(settings.ACTIVITY_TABLE, dynamodb, readDigestSecret);
    const count = (names: NamesErased) =>
      countRefusals(apiSet, hour, refusalsOf(faults, at, names), requestId);
    const recording = [
      // If nobody can tell who was erased, only numbers are kept.
      erased.catch(() => () => true).then(count),
      erased.then((names) => logRefusals(apiSet, at.getTime(), faults, requestId, names, tournamentAt)),
    ];
    // One that fails must not leave the other under way.
    await Promise.allSettled(recording);
    await Promise.all(recording);
  });
  return handling === "lenient" ? acceptedInPart(answers, isAny) : accepted(answers, isAny);
}, quota);
