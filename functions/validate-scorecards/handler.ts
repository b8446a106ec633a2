import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import { assessSubmission } from "../../core/scorecard/assess.ts";
import { assessmentContext } from "../../core/submission/assessment-context.ts";
import { readSubmission } from "../../core/submission/read-submission.ts";
import { cardCourseSettings, cardCourses } from "../card-courses.ts";
import { leanSdk } from "../lean-sdk.ts";
import { vendorApi } from "../vendor-api.ts";
import { validation } from "./answer.ts";

const settings = z.object({ ...cardCourseSettings, TIME_ZONE: z.string() }).parse(process.env);
const now = () => new Date();
const dynamodb = new DynamoDBClient(leanSdk);
const secrets = new SecretsManagerClient(leanSdk);
const courses = cardCourses(settings, { dynamodb, secrets, now });

/** Says what a submission would be answered, and how every figure comes about; stores and sends nothing. */
export const handler = vendorApi(async ({ apiSet, body, header }) => {
  const cards = readSubmission(body, header("content-type"));
  const context = await assessmentContext(apiSet, cards, { courses, now, timeZone: settings.TIME_ZONE });
  return validation(assessSubmission(cards, context));
});
