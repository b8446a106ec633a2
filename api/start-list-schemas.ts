import * as z from "zod/mini";
import { identifierPatterns } from "../core/formats/identifiers.ts";
import {
  type ExpectedRound,
  type MissingPlayer,
  maxMissingPlayers,
  maxUnlistedCards,
  missingReasons,
} from "../core/views/start-list.ts";
import type { ListedStartList } from "../core/views/start-list-table.ts";
import type { StartListReport } from "../core/views/tournament-report.ts";
import {
  labelPattern,
  type PlayerFault,
  type StartListInput,
  startListLimits,
} from "../functions/track-scorecards/start-list-request.ts";

const whole = z.int();
const day = z.iso.date();
const time = z.iso.datetime();

const roundNumbers = z.array(z.int().check(z.minimum(1), z.maximum(99)));

/** A player whose cards are expected. */
export const startListPlayerSchema = z.strictObject({
  unionId: z
    .string()
    .check(
      z.regex(new RegExp(identifierPatterns.unionId)),
      z.describe("As the card's Player.UnionID, in any spelling; only a keyed digest of it is kept."),
    ),
  label: z
    .exactOptional(z.string().check(z.maxLength(startListLimits.label), z.regex(new RegExp(labelPattern))))
    .check(
      z.describe(
        "Your own for the player, such as a start number, never a name; missing players are told by it.",
      ),
    ),
});

/** The players whose cards of a tournament are expected. */
export const startListInputSchema = z.strictObject({
  name: z
    .exactOptional(z.string())
    .check(
      z.describe(
        "TournamentName, to be shown while no card has it, if the path has the tournament's ID instead of its name.",
      ),
    ),
  rounds: z
    .exactOptional(
      roundNumbers.check(z.minLength(1), z.maxLength(startListLimits.rounds), z.meta({ uniqueItems: true })),
    )
    .check(
      z.describe(
        "TournamentRoundNumbers of which each player sends a card; if left out, the rounds that have cards.",
      ),
    ),
  players: z.array(startListPlayerSchema).check(z.minLength(1), z.maxLength(startListLimits.players)),
}) satisfies z.ZodMiniType<StartListInput>;

/** A start list as it was stored. */
export const startListSchema = z.object({
  id: z.string().check(z.describe("Of the tournament.")),
  from: day.check(z.describe("First day of play of the list.")),
  to: day.check(z.describe("Last day of play of the list.")),
  rounds: z.exactOptional(z.array(whole)),
  players: whole.check(z.describe("How many.")),
  expiresAt: time.check(
    z.describe("When the list is erased: 30 days after its last day, or after it was sent."),
  ),
});

/** A player of a start list whose card is missing. */
export const missingPlayerSchema = z.object({
  index: whole.check(z.describe("The player's place in the list, from 0.")),
  label: z.exactOptional(z.string()).check(z.describe("As it was sent with the player.")),
  reason: z
    .enum(missingReasons)
    .check(
      z.describe("`not_sent`: no card of the player was accepted; else what became of the player's card."),
    ),
}) satisfies z.ZodMiniType<MissingPlayer>;

/** A round compared with a start list. */
export const expectedRoundSchema = z.object({
  round: whole.check(z.describe("TournamentRoundNumber; 0 if the cards have none from 1 to 99.")),
  players: whole.check(z.describe("Players of the list.")),
  missing: whole.check(z.describe("Those of them without a card that was delivered or may still be.")),
  missingPlayers: z
    .array(missingPlayerSchema)
    .check(z.describe(`The first ${maxMissingPlayers} of these, in the order of the list.`)),
  unlisted: whole.check(z.describe("Cards of players who are not in the list; withdrawn ones do not count.")),
  unlistedCards: z
    .array(z.string())
    .check(z.describe(`ExternalIDs of the first ${maxUnlistedCards} of these.`)),
}) satisfies z.ZodMiniType<ExpectedRound>;

/** A tournament's cards compared with a start list. */
export const startListReportSchema = z.object({
  from: day.check(z.describe("First day of play of the list.")),
  to: day.check(z.describe("Last day of play of the list; cards of all its days are compared.")),
  expiresAt: time.check(z.describe("When the list is erased.")),
  rounds: z.array(expectedRoundSchema).check(z.describe("By number.")),
  isComplete: z
    .boolean()
    .check(z.describe("False if the tournament has more cards than are compared, 10,000.")),
}) satisfies z.ZodMiniType<StartListReport>;

/** What a list of tournaments says of a start list. */
export const listedStartListSchema = z.object({
  from: day.check(z.describe("First day of play of the list.")),
  to: day.check(z.describe("Last day of play of the list.")),
  rounds: z
    .exactOptional(z.array(whole))
    .check(z.describe("The rounds of which every player sends a card, if the list names them.")),
  players: whole.check(z.describe("Players of the list.")),
}) satisfies z.ZodMiniType<Omit<ListedStartList, "id" | "name">>;

/** A fault of a start list's player. */
export const playerFaultSchema = z.object({
  index: whole.check(z.describe("The player's place in the list, from 0.")),
  pointer: z.string().check(z.describe("JSON pointer into the body.")),
  detail: z.string().check(z.describe("What is wrong and what to change.")),
}) satisfies z.ZodMiniType<PlayerFault>;
