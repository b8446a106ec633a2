import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import { clubFinder } from "../../core/register/club-table.ts";
import { type CourseLookup, courseLookup } from "../../core/register/course-lookup.ts";
import { courseFinder, courseLister } from "../../core/register/course-table.ts";
import { courseRegister } from "../../core/register/union-register.ts";
import { unionAccounts } from "../../core/union/account-secrets.ts";

/** The settings of a function that looks up the courses of cards, to be spread into a schema. */
export const cardCourseSettings = {
  COURSE_TABLE: z.string(),
  CLUB_TABLE: z.string(),
  UNION_BASE_ADDRESS: z.url(),
  MIRROR_SECRET: z.string(),
};

/** The vendor waits while an unknown course is fetched from the union. */
const unionTimeoutMilliseconds = 10_000;

/** Looks up the courses of cards in the mirror and, if the mirror does not have one, at the union. */
export function createCardCourses(
  settings: { readonly [Name in keyof typeof cardCourseSettings]: string },
  {
    dynamodb,
    secrets,
    now,
  }: { readonly dynamodb: DynamoDBClient; readonly secrets: SecretsManagerClient; readonly now: () => Date },
): CourseLookup {
  const accounts = unionAccounts(secrets, now);
  return courseLookup({
    courses: {
      ...courseFinder(settings.COURSE_TABLE, dynamodb),
      ...courseLister(settings.COURSE_TABLE, dynamodb),
    },
    clubs: clubFinder(settings.CLUB_TABLE, dynamodb),
    union: courseRegister(settings.UNION_BASE_ADDRESS, unionTimeoutMilliseconds),
    account: () => accounts.get(settings.MIRROR_SECRET),
  });
}
