import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import { secretReader } from "../../core/aws/secret-reader.ts";
import { compareAssessed } from "../../core/cards/delivery/correction.ts";
import { scorecardReader } from "../../core/cards/delivery/scorecard-table.ts";
import {
  allowsAnyCorrection,
  hasToken,
  isMinimal,
  readSubmission,
} from "../../core/cards/read-submission.ts";
import { reassessRefused } from "../../core/cards/reassess-refused.ts";
import { assessmentContext } from "../../core/cards/submit.ts";
import { assessSubmission } from "../../core/golf/assess.ts";
import { warnOfUnknownPlayers } from "../../core/players/check-assessed.ts";
import { roundComparison } from "../../core/players/compare-rounds.ts";
import { roundRecall } from "../../core/players/known-player-table.ts";
import { warnOfSeenRounds } from "../../core/players/seen-rounds.ts";
import { unionAccounts } from "../../core/union/account-secrets.ts";
import { cardsOfClub } from "../../core/views/cards-of-club.ts";
import { tournamentReader } from "../../core/views/tournament-table.ts";
import { dailyQuota, quotaSettings } from "../http/daily-quota.ts";
import { readQueryFlag } from "../http/query-flag.ts";
import { vendorApi } from "../http/vendor-api.ts";
import { cardCourseSettings, createCardCourses } from "../runtime/card-courses.ts";
import { playerAsker } from "../runtime/player-asker.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { validation } from "./answer.ts";

const settings = readSettings({
  ...cardCourseSettings,
  ...quotaSettings,
  SCORECARD_TABLE: z.string(),
  COUNTRY: z.string(),
  HIGHEST_HANDICAP_INDEX: z.coerce.number(),
  SANDBOX: z.enum(["on", "off"]),
  SCORES_FOR_HANDICAP: z.coerce.number(),
  /** Missing if players are not checked. */
  VENDOR_SECRET_PREFIX: z.optional(z.string()),
  /** Missing if rounds are not compared. */
  PLAYER_HASH_SECRET: z.optional(z.string()),
});
const union = {
  timeZone: settings.TIME_ZONE,
  country: settings.COUNTRY,
  highestHandicapIndex: settings.HIGHEST_HANDICAP_INDEX,
  hasSandbox: settings.SANDBOX === "on",
};
const scoresForHandicap = settings.SCORES_FOR_HANDICAP;
const now = () => new Date();
const dynamodb = sdkClient(DynamoDBClient);
const secrets = sdkClient(SecretsManagerClient);
const courses = createCardCourses(settings, { dynamodb, secrets, now });
const table = scorecardReader(settings.SCORECARD_TABLE, dynamodb);
const quota = dailyQuota(settings, dynamodb);
/** Undefined if players are not checked. */
const createAsker =
  settings.VENDOR_SECRET_PREFIX === undefined
    ? undefined
    : playerAsker(settings.UNION_BASE_ADDRESS, settings.VENDOR_SECRET_PREFIX, unionAccounts(secrets, now));
const hashKey =
  settings.PLAYER_HASH_SECRET === undefined ? undefined : secretReader(secrets, settings.PLAYER_HASH_SECRET);
/** Undefined if rounds are not compared. */
const recall = hashKey && roundRecall(settings.SCORECARD_TABLE, dynamodb, hashKey, now);
const tournaments = tournamentReader(settings.ACTIVITY_TABLE, dynamodb);
/** API Gateway waits 29 seconds, and the courses may have to be fetched first. */
const maxCheckMilliseconds = 10_000;

/** Returns the answers a submission would get, and how each figure is calculated; sends no card, and stores only their number. */
export const handler = vendorApi(async ({ apiSet, club, plan, body, header, query }) => {
  const withPlayers = readQueryFlag(query, "players", "to have the union asked for the players");
  const cards = readSubmission(body, header("content-type"), withPlayers ? "cardsWithPlayers" : "cards");
  quota.takeCards({ apiSet, plan }, cards.length);
  const begunAt = performance.now();
  const known = await assessmentContext(apiSet, cards, { courses, now, ...union });
  const context = { ...known, hasToken: hasToken(header("token")), club };
  const assessed = assessSubmission(cards, context);
  const { assessments, undecided } = await reassessRefused(cards, assessed, context, courses, begunAt);
  if (undecided !== undefined) throw undecided;
  const prefer = header("prefer");
  const form = { isMinimal: isMinimal(prefer) };
  const compared = await compareAssessed(table, apiSet, assessments, allowsAnyCorrection(prefer), club);
  if (!withPlayers) return validation(compared, form);
  const endsAt = performance.now() + maxCheckMilliseconds;
  const ask = await createAsker?.(apiSet);
  const left = () => endsAt - performance.now();
  const given = { courses: context.courses, scoresForHandicap, club };
  const { players, members, ...checked } = await warnOfUnknownPlayers(compared, ask, left, given);
  if (recall === undefined) return validation(checked.assessments, { ...form, players });
  const own = cardsOfClub(table, club);
  const rounds = { recall, compareRounds: roundComparison(own), tournaments, cards: own };
  const seen = await warnOfSeenRounds(checked.assessments, members, apiSet, rounds);
  return validation(seen, { ...form, players });
}, quota);
