import type {
  CardHistory,
  CardKey,
  DeliveryRecord,
  ScorecardTable,
  StoredCard,
} from "../../../core/store/scorecard-table.ts";

const name = ({ apiSet, externalId }: CardKey) => `${apiSet}#${externalId}`;

/** A scorecard table in memory, with the two items of each card and a record of what was ever written. */
export function scorecardsInMemory() {
  const items = new Map<string, CardHistory<StoredCard>>();
  const written: DeliveryRecord[] = [];
  let refusals = 0;

  function mayRefuse() {
    if (refusals > 0) {
      refusals--;
      throw new Error("ProvisionedThroughputExceededException");
    }
  }

  const read: ScorecardTable["read"] = async (apiSet, externalIds) => {
    mayRefuse();
    const known = externalIds.flatMap((externalId) => {
      const history = items.get(name({ apiSet, externalId }));
      return history === undefined ? [] : [[externalId, history] as const];
    });
    return new Map(known);
  };

  const table: Omit<ScorecardTable, "inState"> = {
    read,
    readMostlyNew: read,
    async readRecords(keys) {
      mayRefuse();
      return keys.map((key) => items.get(name(key)) ?? {});
    },
    async putCards(cards) {
      mayRefuse();
      for (const card of cards) items.set(name(card), { ...items.get(name(card)), card });
    },
    async putDeliveries(deliveries) {
      mayRefuse();
      written.push(...deliveries);
      for (const delivery of deliveries)
        items.set(name(delivery), { ...items.get(name(delivery)), delivery });
    },
  };

  return {
    table,
    written,
    /** Both items of a card. */
    of: (key: CardKey) => items.get(name(key)) ?? {},
    /** Has the next calls refused, as a throttled table does. */
    refuse(times: number) {
      refusals = times;
    },
  };
}
