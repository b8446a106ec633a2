import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import { type CourseLookup, courseLookup } from "../../core/courses/course-lookup.ts";
import { clubFinder } from "../../core/dynamodb/clubs.ts";
import { courseReader } from "../../core/dynamodb/courses.ts";
import { unionAccounts } from "../../core/union/account.ts";
import { courseRegister } from "../../core/union/register.ts";

/** What a function that looks up the courses of cards is given, to be spread into the schema of its settings. */
export const cardCourseSettings = {
  COURSE_TABLE: z.string(),
  CLUB_TABLE: z.string(),
  UNION_BASE_ADDRESS: z.url(),
  MIRROR_SECRET: z.string(),
};

/** An unknown course is asked for at the union while the vendor waits. */
const unionTimeoutMilliseconds = 10_000;

/** What looking courses up needs from outside. */
export interface CardCourseDependencies {
  readonly dynamodb: DynamoDBClient;
  readonly secrets: SecretsManagerClient;
  readonly now: () => Date;
}

/** Finds the courses that cards name: in the mirror, and at the union where the mirror has none. */
export function cardCourses(
  settings: { readonly [Name in keyof typeof cardCourseSettings]: string },
  { dynamodb, secrets, now }: CardCourseDependencies,
): CourseLookup {
  const accounts = unionAccounts(secrets, now);
  return courseLookup({
    courses: courseReader(settings.COURSE_TABLE, dynamodb),
    clubs: clubFinder(settings.CLUB_TABLE, dynamodb),
    union: courseRegister(settings.UNION_BASE_ADDRESS, unionTimeoutMilliseconds),
    account: () => accounts.get(settings.MIRROR_SECRET),
  });
}
