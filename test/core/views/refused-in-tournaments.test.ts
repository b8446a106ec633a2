import { expect, test } from "vitest";
import type { LoggedFault } from "../../../api/activity.ts";
import { refusedInTournaments } from "../../../core/views/refused-in-tournaments.ts";
import { green } from "../memory/stored-card.ts";

const fault = (name: string, second: number): LoggedFault => ({
  at: new Date(Date.UTC(2026, 6, 4, 12, 0, second)).toISOString(),
  requestId: "request",
  index: second,
  externalId: `${name} ${second}`,
  pointer: "/HCP",
  code: "out_of_range",
  detail: "Out of range.",
  tournament: { id: name, name, day: "2026-07-04", round: 1 },
});

test("refused cards of other tournaments take no place of those that were asked for", async () => {
  const faults = [
    fault("Small Cup", 0),
    ...Array.from({ length: 1_001 }, (_, place) => fault("Great Cup", place + 1)),
  ];
  const read = (isWanted: (one: { id: string }) => boolean) =>
    refusedInTournaments(
      {
        refusals: { ofTournaments: async () => ({ faults, isComplete: true }) },
        table: { read: async () => [] },
      },
      green,
      0,
      isWanted,
    );
  const small = await read(({ id }) => id === "Small Cup");
  expect([small.cards.map(({ externalId }) => externalId), small.isComplete]).toEqual([
    ["Small Cup 0"],
    true,
  ]);
  const all = await read(() => true);
  expect([all.cards.length, all.isComplete]).toEqual([1_000, false]);
});
