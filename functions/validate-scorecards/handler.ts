import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import { assessSubmission } from "../../core/scorecard/assess.ts";
import { readSubmission } from "../../core/submission/read-submission.ts";
import { assessmentContext } from "../../core/submission/submit.ts";
import { vendorApi } from "../http/vendor-api.ts";
import { cardCourseSettings, cardCourses } from "../runtime/card-courses.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { validation } from "./answer.ts";

const settings = z.object({ ...cardCourseSettings, TIME_ZONE: z.string() }).parse(process.env);
const now = () => new Date();
const dynamodb = sdkClient(DynamoDBClient);
const secrets = sdkClient(SecretsManagerClient);
const courses = cardCourses(settings, { dynamodb, secrets, now });

/** Returns the answers a submission would get, and how each figure is calculated; stores and sends nothing. */
export const handler = vendorApi(async ({ apiSet, body, header }) => {
  const cards = readSubmission(body, header("content-type"));
  const context = await assessmentContext(apiSet, cards, { courses, now, timeZone: settings.TIME_ZONE });
  return validation(assessSubmission(cards, context));
});
