import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import { courseLookup } from "../../core/mirror/course-lookup.ts";
import { assessSubmission } from "../../core/scorecard/assess.ts";
import { clubFinder } from "../../core/store/clubs.ts";
import { courseReader } from "../../core/store/courses.ts";
import { assessmentContext } from "../../core/submission/assessment-context.ts";
import { readSubmission } from "../../core/submission/read-submission.ts";
import { unionAccounts } from "../../core/union/account.ts";
import { courseRegister } from "../../core/union/register.ts";
import { leanSdk } from "../lean-sdk.ts";
import { vendorApi } from "../vendor-api.ts";
import { validation } from "./answer.ts";

const settings = z
  .object({
    COURSE_TABLE: z.string(),
    CLUB_TABLE: z.string(),
    TIME_ZONE: z.string(),
    UNION_BASE_ADDRESS: z.url(),
    MIRROR_SECRET: z.string(),
  })
  .parse(process.env);

const unionTimeoutMilliseconds = 10_000;
const now = () => new Date();
const dynamodb = new DynamoDBClient(leanSdk);
const accounts = unionAccounts(new SecretsManagerClient(leanSdk), now);
const courses = courseLookup({
  courses: courseReader(settings.COURSE_TABLE, dynamodb),
  clubs: clubFinder(settings.CLUB_TABLE, dynamodb),
  union: courseRegister(settings.UNION_BASE_ADDRESS, unionTimeoutMilliseconds),
  account: () => accounts.get(settings.MIRROR_SECRET),
});

/** Says what a submission would be answered, and how every figure comes about; stores and sends nothing. */
export const handler = vendorApi(async ({ apiSet, body }) => {
  const cards = readSubmission(body);
  const context = await assessmentContext(apiSet, cards, { courses, now, timeZone: settings.TIME_ZONE });
  return validation(assessSubmission(cards, context));
});
