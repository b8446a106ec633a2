import { setTimeout as sleep } from "node:timers/promises";
import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { scanInSegments } from "../../../core/aws/segmented-scan.ts";
import { startEngine, tables } from "./engine.ts";

test("a scan whose work fails throws only after the work on all other pages has ended", async () => {
  const engine = await startEngine();
  const TableName = tables.activity.TableName;
  await engine.createTable(tables.activity);
  for (let n = 0; n < 30; n += 1) {
    const Item = { apiSet: { S: `vendor-${n}` }, at: { S: "at" } };
    await engine.client.send(new PutItemCommand({ TableName, Item }));
  }
  let begun = 0;
  let ended = 0;
  const scan = scanInSegments(engine.client, TableName, async () => {
    begun += 1;
    if (begun === 1) throw new Error("failed");
    await sleep(100);
    ended += 1;
  });
  await expect(scan).rejects.toThrow("failed");
  // Every segment has a page, which may be read after the failure.
  const endedThen = ended;
  await sleep(300);
  expect([ended, begun - 1]).toEqual([endedThen, endedThen]);
  await engine.stop();
});
