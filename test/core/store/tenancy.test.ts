import { expectTypeOf, test } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import type { ScorecardTable } from "../../../core/store/scorecard-table.ts";

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

test("nor with a text that no account was found for", () => {
  type Read = ScorecardTable["read"];
  expectTypeOf<[string, readonly string[]]>().not.toExtend<Parameters<Read>>();
  expectTypeOf<[ApiSet, readonly string[]]>().toExtend<Parameters<Read>>();
  type Key = Parameters<ScorecardTable["readRecords"]>[0][number];
  expectTypeOf<{ apiSet: string; externalId: string }>().not.toExtend<Key>();
  expectTypeOf<{ externalId: string }>().not.toExtend<Key>();
});
