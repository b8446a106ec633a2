import { expect, onTestFinished, test } from "vitest";
import { scorecardTable } from "../../../core/cards/delivery/scorecard-table.ts";
import { startEngine, tables } from "../aws/engine.ts";
import { storedCard } from "../memory/stored-card.ts";
import { echo, message, wakeUp, world } from "./delivery-world.ts";

test("of eight versions of a card, of which dead runs may have posted each, all are noted, and the card beside it is delivered", async () => {
  // DynamoDB refuses a request that writes an item twice: such a message failed each time, up to the dead letters.
  const engine = await startEngine();
  onTestFinished(() => engine.stop());
  await engine.createTable(tables.scorecards);
  const table = scorecardTable(tables.scorecards.TableName, engine.client);
  const [corrected, beside] = [storedCard("417", { version: 9 }), storedCard("418")];
  await table.write(
    [corrected, beside].map(({ apiSet, externalId, ...set }) => ({ apiSet, externalId, set })),
  );
  const { run } = world(echo, { table });
  const versions = [1, 2, 3, 4, 5, 6, 7, 8].map((version) => wakeUp(corrected, { version }));
  expect(await run([message([...versions, wakeUp(beside)], { receives: 2 })])).toEqual([]);
  expect(await table.read([corrected])).toMatchObject([{ state: "queued", maybeAtExchange: 8 }]);
  expect(await table.read([beside])).toMatchObject([{ state: "delivered" }]);
});
