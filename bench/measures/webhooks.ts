import { setTimeout as delay } from "node:timers/promises";
import type { CardStatus } from "../../core/cards/status.ts";
import { minimalCard } from "../../test/end-to-end/good-card.ts";
import { startPipeline, type Vendor } from "../../test/end-to-end/pipeline.ts";
import { synthesize } from "../../test/end-to-end/synthesize.ts";
import { type Endpoint, startEndpoint } from "../../test/end-to-end/webhook-endpoint.ts";
import type { BenchRow } from "../bench-row.ts";

const cards = 100;
const perSecond = 5;
/** Longer than an endpoint is given. */
const silentMilliseconds = 60_000;
const patience = 60_000;

/** How long an outcome takes to a vendor's endpoint, alone and beside another vendor's endpoint that does not answer. */
export async function run(): Promise<BenchRow[]> {
  const { assembly, remove } = synthesize({});
  const pipeline = await startPipeline(assembly);
  const good = await startEndpoint();
  const silent = await startEndpoint(() => ({ status: 204, afterMilliseconds: silentMilliseconds }));
  const submit = async (vendor: Vendor, name: string) => {
    const begun = Date.now();
    const requests = Array.from({ length: cards }, async (_, n) => {
      await delay(begun + (n * 1000) / perSecond - Date.now());
      await vendor.submit([minimalCard(pipeline.standIn, { ExternalID: `${name}-${n}` })]);
    });
    await Promise.all(requests);
  };
  const subscribe = (vendor: Vendor, { url }: Endpoint) =>
    vendor.ask("POST", "Webhooks", JSON.stringify({ url }));
  try {
    const [vendor, other] = [pipeline.vendor(0), pipeline.vendor(1)];
    await subscribe(vendor, good);
    await submit(vendor, "warm-up");
    // Another vendor's cards are there in both cases, so that its endpoint alone makes the difference.
    await Promise.all([submit(vendor, "alone"), submit(other, "no-endpoint")]);
    const alone = await delaysOf(good, "alone");
    await subscribe(other, silent);
    await Promise.all([submit(vendor, "beside"), submit(other, "silent")]);
    const beside = await delaysOf(good, "beside");
    const delivered = await Promise.all(["alone", "beside"].map((name) => deliveriesOf(vendor, name)));
    const ofOther = await Promise.all(["no-endpoint", "silent"].map((name) => deliveriesOf(other, name)));
    const at = (delays: readonly number[], share: number) => delays[Math.floor(delays.length * share)] ?? 0;
    return [
      { name: "from the record to the endpoint, half", value: at(alone, 0.5), unit: "ms", bar: 2_000 },
      { name: "from the record to the endpoint, 95 %", value: at(alone, 0.95), unit: "ms" },
      { name: "beside an endpoint that does not answer, half", value: at(beside, 0.5), unit: "ms" },
      { name: "beside an endpoint that does not answer, 95 %", value: at(beside, 0.95), unit: "ms" },
      {
        name: "what it delays the slowest",
        value: at(beside, 0.99) - at(alone, 0.99),
        unit: "ms",
        bar: 1_000,
      },
      ...[["its vendor's own", ofOther] as const, ["others'", delivered] as const].flatMap(
        ([whose, [without = [], beside = []]]) => [
          { name: `${whose} cards delivered, half`, value: at(without, 0.5), unit: "ms" },
          { name: `${whose} cards delivered beside that endpoint, half`, value: at(beside, 0.5), unit: "ms" },
        ],
      ),
    ];
  } finally {
    good.stop();
    silent.stop();
    await pipeline.stop();
    remove();
  }
}

/** From accepting each card to recording its delivery, sorted. */
async function deliveriesOf(vendor: Vendor, name: string): Promise<number[]> {
  const names = Array.from({ length: cards }, (_, n) => `ExternalID=${name}-${n}`);
  const { body } = await vendor.ask("GET", `ScorecardExchange?${names.join("&")}`);
  return (body.cards as readonly CardStatus[])
    .map(({ acceptedAt = "", since = "" }) => Date.parse(since) - Date.parse(acceptedAt))
    .toSorted((one, other) => one - other);
}

/** From the record of each card's outcome to its event at the endpoint, sorted. */
async function delaysOf({ received }: Endpoint, name: string): Promise<number[]> {
  const until = Date.now() + patience;
  for (;;) {
    const delays = new Map<string, number>();
    for (const { body, at } of received) {
      const { data } = JSON.parse(body) as { readonly data: { readonly cards?: readonly CardStatus[] } };
      for (const { externalId, since = "" } of data.cards ?? []) {
        if (externalId.startsWith(`${name}-`) && !delays.has(externalId)) {
          delays.set(externalId, at - Date.parse(since));
        }
      }
    }
    if (delays.size === cards) return [...delays.values()].toSorted((one, other) => one - other);
    if (Date.now() > until) throw new Error(`${cards - delays.size} of ${cards} outcomes have not come.`);
    await delay(200);
  }
}
