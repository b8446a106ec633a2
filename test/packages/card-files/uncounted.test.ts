import { expect, test } from "vitest";
import type { CardFindings } from "../../../packages/card-files/card-fault.ts";
import type { NamedCard } from "../../../packages/card-files/named-cards.ts";
import { withoutUncounted } from "../../../packages/card-files/uncounted.ts";

test("of the two rounds of one row only that is held which will not count, and what was sent before is not asked about", async () => {
  const named = (externalId: string) => ({ number: 7, externalId, json: "{}" }) as NamedCard;
  const first = named("round 1");
  const second = named("round 2");
  const sentBefore = named("round 3");
  const held: CardFindings[] = [];
  const asked: unknown[] = [];
  const client = {
    async validate(texts: readonly string[], options: object) {
      asked.push({ ...options, cards: texts.length });
      return {
        cards: [
          { index: 0, externalId: "round 1", status: 201, warnings: [{ code: "tee_unrated" }] },
          { index: 1, externalId: "round 2", status: 201, warnings: [] },
        ],
      };
    },
  };
  async function* cards() {
    yield sentBefore;
    yield first;
    yield second;
  }
  const { signal } = new AbortController();
  const passed: NamedCard[] = [];
  const journal = { has: (externalId: string) => externalId === "round 3" };
  const options = { client: client as never, journal, anyCorrection: true, retrySeconds: 0, signal };
  const onHeld = (found: CardFindings) => held.push(found);
  for await (const card of withoutUncounted(cards(), { ...options, onHeld })) passed.push(card);
  expect(passed).toEqual([sentBefore, second]);
  expect(held).toMatchObject([{ card: 7, externalId: "round 1" }]);
  expect(asked).toMatchObject([{ players: true, anyCorrection: true, cards: 2 }]);
});
