import type { Tee } from "../api-types.ts";
import { externalId, scaled, timestamp } from "../card-values.ts";
import type { ScorecardsClient } from "../client.ts";

const roundMilliseconds = 5 * 3_600_000;

/** Finds a tee with 18 rated holes, in the order of the register. */
async function findTee(client: ScorecardsClient, inforce: string): Promise<Tee> {
  const isWhole = (tee: Tee) =>
    tee.Holes.length === 18 && Number(tee.CourseRating) > 0 && tee.SlopeRating > 0;
  for (const { ID } of await client.clubs()) {
    const courses = await client.courses(ID, { active: true, inforce });
    const tee = courses.flatMap(({ Tees }) => Tees).find(isWhole);
    if (tee !== undefined) return tee;
  }
  throw new Error("The register has no tee with 18 rated holes. Ask the operator.");
}

/**
 * Sends a card of a round on the first course of the register, a stroke over par at each hole, and follows it.
 *
 * @param player member number; @param marker another one
 * @returns lines for a terminal: what was sent, refused or warned of, and each state
 */
export async function* sendFirstCard(
  client: ScorecardsClient,
  player: string,
  marker: string,
): AsyncGenerator<string> {
  const { timeZone } = await client.activity();
  const now = timestamp(new Date(), timeZone);
  const { ID = "", Name, Holes } = await findTee(client, now);
  const card = {
    ExternalID: await externalId("first card", now, player),
    CreateDateTime: now,
    HCP: scaled(18),
    CourseHandicap: 0,
    Course: { TeeID: ID },
    Player: { UnionID: player },
    Marker: { UnionID: marker },
    Result: { Strokes: Holes.map(({ Par }) => Par + 1), IsQualifying: false },
    Round: {
      HolesPlayed: Holes.length,
      RoundType: 1 as const,
      StartTime: timestamp(new Date(Date.now() - roundMilliseconds), timeZone),
    },
  };
  const [validated] = (await client.validate([card])).cards;
  if (validated?.status === 201) card.CourseHandicap = validated.derivation?.courseHandicapByRule[0] ?? 0;
  const [entry] = await client.submit([card]);
  if (entry?.status !== 201) throw new Error(entry?.errors.map(({ detail }) => detail).join(" "));
  yield `accepted from tee ${Name}: ${card.ExternalID}`;
  for (const { detail } of entry.warnings) yield `warning: ${detail}`;
  for await (const { state } of client.follow([card.ExternalID])) yield state;
}
