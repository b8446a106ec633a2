import { expectTypeOf, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import type { ScorecardTable } from "../../../core/cards/delivery/scorecard-table.ts";

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
