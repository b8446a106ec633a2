import { readFile } from "node:fs/promises";
import { cardFields } from "@scorecard-pipeline/card-files/base/card-fields";
import type { FieldSource, TableColumns } from "@scorecard-pipeline/card-files/base/table-columns";
import * as z from "zod";

const schema = z.record(
  z.string(),
  z.union([
    z.string(),
    z.array(z.string()),
    z.strictObject({ value: z.unknown() }),
    z.strictObject({ column: z.string(), meanings: z.record(z.string(), z.string()) }),
    z.strictObject({ columns: z.array(z.string()).min(1) }),
    z.strictObject({ made: z.literal("round") }),
  ]),
);

/**
 * Reads a file that says which column of a table is which field of a card.
 *
 * @throws Error that says what is wrong with it
 */
export async function readColumns(path: string): Promise<TableColumns> {
  const text = await readFile(path, "utf8");
  const { data } = schema.safeParse(jsonOf(text));
  if (data === undefined) {
    throw new Error(
      `${path} does not say which column is which field. Write a JSON object such as {"ExternalID": "Card", "Result/Strokes": ["1", "2"], "Round/RoundType": {"value": 2}}.`,
    );
  }
  for (const [field, source] of Object.entries(data)) refuseIfWrong(path, field, source);
  return new Map(Object.entries(data));
}

function refuseIfWrong(path: string, field: string, source: FieldSource): void {
  const unknown = [field].find((one) => !cardFields.has(one));
  if (unknown !== undefined) {
    throw new Error(
      `${path}: a card has no field ${unknown}. There are ${[...cardFields.keys()].join(", ")}.`,
    );
  }
  const isList = cardFields.get(field) === "list";
  const isFit = isList
    ? Array.isArray(source) || hasKey(source, "value")
    : !Array.isArray(source) && (field === "ExternalID" || !hasKey(source, "made"));
  if (!isFit) {
    const wanted = isList ? "a list of columns, one a hole" : "one column";
    throw new Error(`${path}: ${field} needs ${wanted}.`);
  }
}

const hasKey = (source: FieldSource, key: string) => typeof source === "object" && key in source;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
