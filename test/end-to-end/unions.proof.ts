import type { ReceivedCard } from "@scorecard-pipeline/stand-in";
import { expect, onTestFinished, test } from "vitest";
import type { Scorecard } from "../../core/golf/scorecard.ts";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { forUnion, variants } from "../../local/pipeline/settings-variants.ts";
import { play } from "../../local/sample/play.ts";
import { sampleTournament } from "../../local/sample/tournament.ts";
import { type UnionName, unions } from "../../unions/unions.ts";
import { cardAbroad } from "../core/golf/sample-cards.ts";
import { hurried } from "../hurried-settings.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { startPipeline } from "./pipeline.ts";

const now = new Date();
const cardOf = ({ card }: ReceivedCard) => card as Scorecard;

/** Plays the sample tournament in a deployment for a union. @returns what its exchange received, and the codes of two warnings */
async function playFor(name: UnionName) {
  const assembly = await assemblyOf(variants.local(forUnion(hurried, name)));
  const pipeline = await startPipeline({ assembly, unionProfile: name });
  onTestFinished(() => pipeline.stop());
  const { clubs, courses, members, received } = pipeline.standIn;
  const { timeZone, country } = unions[name];
  const { signal } = new AbortController();
  const options = { clubs, courses, members, seed: 2026, run: "unions", now, timeZone, country };
  const { api } = pipeline.machine.run;
  const result = await play({ api, vendors: demoVendors, submissions: sampleTournament(options), signal });
  expect(result.unexpected).toEqual([]);
  const texts = new Map(received.map((one) => [cardOf(one).ExternalID, JSON.stringify(cardOf(one))]));
  const warningsOn = async (Country: string) => {
    const card = cardAbroad();
    const sent = { ...card, Course: { ...card.Course, Country } };
    const answer = await pipeline.vendor(0).ask("POST", "ScorecardExchange/Validate", JSON.stringify([sent]));
    return answer.body.cards[0].warnings.map(({ code }: { readonly code: string }) => code);
  };
  return {
    texts,
    cards: received.map(cardOf),
    atHome: await warningsOn(country),
    abroad: await warningsOn("SE"),
  };
}

test("a deployment for another union delivers the sample with nothing changed but the profile's country", async () => {
  const danish = await playFor("denmark");
  const norwegian = await playFor("norway");
  expect(danish.texts.size).toBe(264);
  expect([...norwegian.texts.keys()].sort()).toEqual([...danish.texts.keys()].sort());
  const changed = [...danish.texts].filter(
    ([name, text]) => norwegian.texts.get(name) !== text.replaceAll('"DK"', '"NO"'),
  );
  expect(changed).toEqual([]);
  expect([...danish.texts.values()].some((text) => text.includes('"HomeClubCountry":"DK"'))).toBe(true);
  for (const [{ cards, atHome, abroad }, country] of [[danish, "DK"] as const, [norwegian, "NO"] as const]) {
    expect(cards.filter(({ Course }) => Course.Country !== country)).toEqual([]);
    expect(atHome).toContain("course_id_missing");
    expect(abroad).not.toContain("course_id_missing");
  }
}, 300_000);
