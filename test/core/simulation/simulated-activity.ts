import type { ApiSet } from "../../../core/accounts/account.ts";
import type { CardHappening } from "../../../core/cards/life/happened.ts";
import { hourOf } from "../../../core/formats/union-time.ts";
import { added, type Counts } from "../../../core/views/activity-counts.ts";
import type { ActivityReader } from "../../../core/views/activity-table.ts";
import { hourSteps } from "../../../core/views/hours.ts";
import { type ListedCards, listedCards } from "../../../core/views/listed-cards.ts";

/** Counts and lists of each vendor's cards, made from the changes that the table's stream tells. */
export interface SimulatedActivity {
  follow(update: CardHappening): void;
  readonly reader: Pick<ActivityReader, "hours" | "versionsOf">;
  vendors(): readonly ApiSet[];
}

/** Counts and lists in which nothing stands. @param timeZone IANA name */
export function simulatedActivity(timeZone: string): SimulatedActivity {
  const vendors = new Map<ApiSet, Map<number, Counts>>();
  const lists: ListedCards[] = [];
  return {
    follow(update) {
      for (const { apiSet, hour, steps } of hourSteps([update], (at) => hourOf(at, timeZone))) {
        const hours = vendors.get(apiSet) ?? new Map<number, Counts>();
        vendors.set(apiSet, hours);
        for (const { counts } of steps) hours.set(hour, added(hours.get(hour) ?? {}, counts));
      }
      lists.push(...listedCards([update], timeZone));
    },
    reader: {
      hours: async (apiSet, from, before) =>
        [...(vendors.get(apiSet) ?? [])]
          .filter(([hour]) => hour >= from && hour < before)
          .map(([hour, counts]) => ({ hour, counts })),
      async *versionsOf(apiSet, day) {
        for (const one of lists) {
          const isOfVersions = one.list === "cards" || one.list === "versions";
          if (isOfVersions && one.apiSet === apiSet && one.day === day) yield one.externalIds;
        }
      },
    },
    vendors: () => [...vendors.keys()],
  };
}
