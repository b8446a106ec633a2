import { createClient, type FeedPage } from "@scorecard-pipeline/scorecards-client";
import { expect, test } from "vitest";
import { providePipeline, sharedPipeline } from "./pipeline.ts";

const pipeline = await providePipeline(sharedPipeline);

const clientOf = (number: 0 | 1) =>
  createClient({ ...pipeline.vendor(number).account, api: pipeline.machine.run.api });
const { card } = pipeline;
const toldOf = ({ events }: Pick<FeedPage, "events">) =>
  events.flatMap(({ type, data }) =>
    (data.cards ?? []).map(({ externalId, version }) => `${externalId} ${version} ${type}`),
  );

test("a consumer of the feed that begins again after each page sees each outcome of its cards, in order, and no other vendor's", async () => {
  const client = clientOf(0);
  const { cursor: begin } = await client.events("latest");
  const names = Array.from({ length: 150 }, (_, n) => `feed ${n}`);
  await client.submit(names.map((name) => card(name)));
  await clientOf(1).submit([card("feed of another vendor")]);
  await expect.poll(async () => (await client.statuses(["feed 0"]))[0]?.state).toBe("delivered");
  await client.submit([card("feed 0", { Comment: "corrected" })]);

  const seen: string[] = [];
  let after = begin;
  const wanted = [...names.map((name) => `${name} 1 scorecard.delivered`), "feed 0 2 scorecard.delivered"];
  while (!wanted.every((one) => seen.includes(one))) {
    // It is killed after each page, and goes on with what it has stored.
    for await (const page of client.followEvents({ after })) {
      expect(page.events.length).toBeLessThanOrEqual(100);
      seen.push(...toldOf(page));
      after = page.cursor;
      break;
    }
  }
  expect(new Set(seen).size).toBe(seen.length);
  const ofCard = seen.filter((one) => one.startsWith("feed 0 ") && one.endsWith("delivered"));
  expect(ofCard).toEqual(["feed 0 1 scorecard.delivered", "feed 0 2 scorecard.delivered"]);
  expect(seen.join()).not.toContain("another vendor");
  expect(
    JSON.stringify(
      await clientOf(1)
        .events(begin)
        .catch(({ problem }) => problem),
    ),
  ).not.toContain('"feed 0"');
});
