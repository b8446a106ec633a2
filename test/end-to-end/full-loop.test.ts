import type { UnionMember } from "@scorecard-pipeline/stand-in";
import { expect, test } from "vitest";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { minimalCard, playableTee } from "../../local/pipeline/minimal-card.ts";
import { providePipeline, sharedPipeline, vendorOf } from "./pipeline.ts";

const pipeline = await providePipeline(sharedPipeline);
// A vendor that no club has agreed with: it sees players by their consent alone.
const account = demoVendors.find(({ username }) => username === "round-share");
if (account === undefined) throw new Error("There is no independent demo vendor.");
const vendor = vendorOf(pipeline.machine.run.api, account);

/** A member whose handicap moves freely, with many scores behind it. */
function player(): UnionMember {
  const found = pipeline.standIn.members.find(
    ({ HandicapStatus, Handicap }) =>
      HandicapStatus === 3 && Number(Handicap) > 150_000 && Number(Handicap) < 400_000,
  );
  if (found === undefined) throw new Error("The stand-in has no such member.");
  return found;
}

test("a player consents, plays well, and the vendor reads the lower handicap back", async () => {
  const { standIn } = pipeline;
  const { ID, LifeTimeID, Memberships } = player();
  const UnionID = Memberships[0]?.UnionID ?? "";

  const token = standIn.consent(LifeTimeID, vendor.account.username);
  const readHandicap = async () => {
    const { status, body } = await vendor.ask("GET", "clubs/Golfer_ByAccessToken", undefined, {
      Token: token,
    });
    expect([status, body.ID]).toEqual([200, ID]);
    return { handicap: Number(body.Handicap), status: body.HandicapStatus };
  };
  const before = await readHandicap();

  const earlier = standIn.playerRecord(UnionID).length;

  const { tee } = playableTee(standIn);
  const names = Array.from({ length: 8 }, (_, round) => `full-loop-${round}`);
  const cards = names.map((ExternalID) =>
    minimalCard(standIn, {
      ExternalID,
      Player: { UnionID },
      Result: { Strokes: tee.Holes.map(({ Par }) => Par), IsQualifying: true },
    }),
  );
  const answer = await vendor.submit(cards);
  expect(answer.status).toBe(201);
  await expect.poll(() => vendor.states(names)).toEqual(names.map(() => "delivered"));

  await expect.poll(() => standIn.playerRecord(UnionID).length).toBe(earlier + 8);
  const after = await readHandicap();
  expect(after.handicap).toBeLessThan(before.handicap);
  expect(after.status).toBe(before.status);
  // Eight rounds of par are the lowest eight of the last twenty: the Index is their average, less what is exceptional.
  const record = standIn.playerRecord(UnionID).at(-1)?.after;
  expect(record?.handicapIndex).toBe(after.handicap / 1_000);
});

test("without the player's consent the same vendor learns nothing", async () => {
  const { UnionID, Club } = player().Memberships[0] ?? {};
  const answer = await vendor.ask("GET", `Clubs/Golfer?unionID=${UnionID}`);
  expect([answer.status, answer.body.Handicap]).toEqual([403, undefined]);
  const record = await vendor.ask("GET", `clubs/${Club?.ID}/Memberships/Scorecards?unionid=${UnionID}`);
  expect([record.status, record.body.type]).toEqual([403, "urn:scorecards:problem:union-forbids"]);
});
