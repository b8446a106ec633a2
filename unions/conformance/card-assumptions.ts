import { readEcho } from "../../core/union/echo.ts";
import { describeShape } from "../../core/union/response-shape.ts";
import { type Assumption, hasStatus, set, type UnionUnderTest, unknownId } from "./assumption.ts";
import { smallestCard } from "./smallest-card.ts";

/** A course version with a tee of 18 holes that can be played. */
async function playable(asked: UnionUnderTest) {
  const { versions, clubId } = await asked.courses();
  for (const version of versions) {
    const tee = version.Tees.find(({ Holes, ID }) => ID !== undefined && Holes.length === 18);
    if (version.IsActive && tee?.ID !== undefined) return { version, clubId, tee, teeId: tee.ID };
  }
  throw new Error("the club has no active course of 18 holes");
}

const cardName = (asked: UnionUnderTest, shape: string) =>
  `conformance-${asked.options.now.toISOString().slice(0, 19).replaceAll(/\D/g, "")}-${shape}`;

/** A small card of the player, for the run. @param shape ends its ExternalID */
export async function minimalCard(asked: UnionUnderTest, shape: string) {
  const { version, clubId, teeId, tee } = await playable(asked);
  const yesterday = new Date(asked.options.now.getTime() - 86_400_000)
    .toISOString()
    .slice(0, 10)
    .replaceAll("-", "");
  return smallestCard({
    externalId: cardName(asked, shape),
    course: { CourseID: version.ID, ClubID: clubId, TeeID: teeId },
    handicapIndex: "158000",
    courseHandicap: 18,
    player: asked.options.player ?? "",
    strokes: tee.Holes.map(({ Par }) => Par + 1),
    startTime: `${yesterday}T100000`,
  });
}

/** Posts cards, or any text, to the exchange. */
export const postCards = (
  asked: UnionUnderTest,
  cards: unknown,
  headers: { readonly Token?: string | undefined } = {},
) =>
  asked.post(
    `${set(asked)}/${asked.options.exchangePath}`,
    typeof cards === "string" ? cards : JSON.stringify(cards),
    headers,
  );

/** @returns undefined if the card comes back as it was sent; else how the answer is read, and its shape without any value */
async function echo(
  asked: UnionUnderTest,
  card: { readonly ExternalID: string; readonly [field: string]: unknown },
): Promise<string | undefined> {
  const { status, text, json } = await postCards(asked, [card]);
  if (status < 200 || status >= 300) return `status ${status}`;
  const sent = JSON.stringify(card);
  if (status <= 201 && JSON.stringify(json) === `[${sent}]`) return undefined;
  const { echoed } = readEcho(text, [{ externalId: card.ExternalID, card: sent }]);
  const shape = describeShape(text, [sent]).replaceAll(" | ", " or ");
  return `status ${status}, read as ${echoed.size > 0 ? "taken" : "unknown"}: ${shape}`;
}

/** What the pipeline takes for granted of posts to the exchange. */
export const cardAssumptions: readonly Assumption[] = [
  {
    name: "Echo: a minimal card",
    needs: ["player", "cards"],
    check: async (asked) => echo(asked, await minimalCard(asked, "minimal")),
  },
  {
    name: "Header Token is not needed for cards, and not read",
    needs: ["player", "cards"],
    async check(asked) {
      for (const Token of [undefined, "none"]) {
        const card = await minimalCard(asked, Token === undefined ? "no-token" : "token");
        const { status } = await postCards(asked, [card], { Token });
        if (status !== 200 && status !== 201)
          return `${Token === undefined ? "without it" : "with a token"}: status ${status}`;
      }
      return undefined;
    },
  },
  {
    name: "Echo: a full card, ID and nulls as sent",
    needs: ["player", "cards"],
    async check(asked) {
      const card = await minimalCard(asked, "full");
      return echo(asked, {
        ID: unknownId.toLowerCase(),
        ...card,
        Comment: "",
        Course: { ...card.Course, ExternalID: null },
      });
    },
  },
  {
    name: "Echo: a card with an unknown tee",
    needs: ["player", "cards"],
    async check(asked) {
      const card = await minimalCard(asked, "unknown-tee");
      return echo(asked, { ...card, Course: { ...card.Course, TeeID: unknownId } });
    },
  },
  {
    name: "Echo: repeated IDs are taken",
    needs: ["player", "cards"],
    async check(asked) {
      const card = await minimalCard(asked, "repeated");
      const reply = await postCards(asked, [card, card]);
      return reply.status === 200 || reply.status === 201
        ? reply.json?.length === 2
          ? undefined
          : "not both"
        : `status ${reply.status}`;
    },
  },
  {
    name: "Errors: a body that is not JSON is 500",
    needs: ["player", "cards"],
    check: async (asked) => hasStatus(await postCards(asked, "[{"), 500),
  },
];
