import { expect, expectTypeOf, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import type { ScorecardTable } from "../../../core/cards/delivery/scorecard-table.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { cardsOfClub } from "../../../core/views/cards-of-club.ts";
import { green, storedCard } from "../memory/stored-card.ts";

/** Whether an argument names the vendor whose cards it is about: itself, or in each of its entries. */
type NamesVendor<Argument> = Argument extends ApiSet
  ? true
  : Argument extends readonly { readonly apiSet: ApiSet }[]
    ? true
    : false;

test("no function of the card table can be called without an API set", () => {
  type Named = { [Name in keyof ScorecardTable]: NamesVendor<Parameters<ScorecardTable[Name]>[0]> };
  expectTypeOf<Named>().toEqualTypeOf<Record<keyof ScorecardTable, true>>();
});

test("no function of the card table takes a text for which no account was found", () => {
  type Key = Parameters<ScorecardTable["read"]>[0][number];
  expectTypeOf<{ apiSet: string; externalId: string }>().not.toExtend<Key>();
  expectTypeOf<{ externalId: string }>().not.toExtend<Key>();
  expectTypeOf<{ apiSet: ApiSet; externalId: string }>().toExtend<Key>();
  type Change = Parameters<ScorecardTable["write"]>[0][number];
  expectTypeOf<{ apiSet: string; externalId: string; set: object }>().not.toExtend<Change>();
  expectTypeOf<string>().not.toExtend<Parameters<ScorecardTable["readWithBreaker"]>[0]>();
  expectTypeOf<string>().not.toExtend<Parameters<ScorecardTable["inState"]>[0]>();
});

test("a change can neither move a card to another vendor nor rename it", () => {
  type Field = keyof Parameters<ScorecardTable["write"]>[0][number]["set"];
  expectTypeOf<"apiSet" | "externalId">().not.toExtend<Field>();
});

test("a warning names to an account that is bound to a club only cards of rounds there", async () => {
  const cardAt = (ClubID: string, externalId: string, other: string) => {
    const content = contentOf({ ID: externalId, Course: { ClubID } });
    return storedCard(externalId, { content, laterWarnings: [{ code: "round_seen", other }] });
  };
  const cards = [cardAt("own", "a", "b"), cardAt("own", "b", "c"), cardAt("another", "c", "a")];
  const read = async (keys: readonly { externalId: string }[]) =>
    cards.filter((card) => keys.some(({ externalId }) => externalId === card.externalId));
  const breaker = { version: 0, open: undefined };
  const readWithBreaker: ScorecardTable["readWithBreaker"] = async () => ({ breaker, cards });
  const bound = cardsOfClub({ read, readWithBreaker }, { id: guidKey("own"), number: 1 });
  const found = await bound.readWithBreaker(green, []);
  const warnings = [[{ code: "round_seen", other: "b" }], [{ code: "round_seen" }]];
  expect(found.cards.map((card) => card.laterWarnings)).toEqual(warnings);
});
