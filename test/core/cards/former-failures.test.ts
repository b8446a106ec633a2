import { expect, onTestFinished, test } from "vitest";
import { TableBatchError } from "../../../core/aws/batch.ts";
import { scorecardTable } from "../../../core/cards/delivery/scorecard-table.ts";
import { RefusalError } from "../../../core/golf/refusal.ts";
import { minute } from "../../durations.ts";
import { startEngine, tables } from "../aws/engine.ts";
import { storedCard } from "../memory/stored-card.ts";
import { echo, message, names, wakeUp, world } from "./delivery-world.ts";
import { drivenDelivery } from "./driven-delivery.ts";

/*
 * What the first design of delivery did wrong, each failure found under load or in simulated days.
 */

test("a submission of 200 cards that is answered 503, since the table refuses a part of it, is delivered whole when it is sent again, and nothing twice", async () => {
  const { submitTogether, cards, pass, states, taken } = drivenDelivery();
  const all = names(200);
  let writes = 0;
  cards.hooks.beforeWrite = async () => {
    if (++writes % 2 === 0) throw new TableBatchError("scorecards");
  };
  await expect(submitTogether(all)).rejects.toThrow(RefusalError);
  cards.hooks.beforeWrite = async () => undefined;
  await pass(minute);
  const before = states(...all).filter((state) => state === "delivered").length;
  // Cards are stored in groups, so some of a refused submission are delivered.
  expect([before > 0, before < 200]).toEqual([true, true]);
  await submitTogether(all);
  await pass(20 * minute);
  expect(new Set(states(...all))).toEqual(new Set(["delivered"]));
  expect(new Set([...taken.values()].map(({ length }) => length))).toEqual(new Set([1]));
});

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
