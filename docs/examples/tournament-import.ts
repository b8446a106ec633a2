/**
 * Imports a tournament from a CSV file with one card a row, and follows the cards.
 *
 *   npm run example -- tournament-import results.csv
 *
 * Columns: card, player, marker, index, course handicap, tee, start, and 1 to 18 with the strokes; `x` picked up, empty not played.
 */
import { readFile } from "node:fs/promises";
import { CardState, createClient, isWaiting, type Scorecard } from "@scorecard-pipeline/scorecards-client";
import { parse } from "csv-parse/sync";

const {
  SCORECARDS_API: api = "",
  SCORECARDS_USERNAME: username = "",
  SCORECARDS_PASSWORD: password = "",
} = process.env;
const client = createClient({ api, username, password });

type Row = Record<string, string>;
const [, , file = "results.csv"] = process.argv;
const rows: Row[] = parse(await readFile(file), {
  columns: true,
  bom: true,
  trim: true,
  skip_empty_lines: true,
});

/** Handicaps and ratings are whole numbers, times 10,000: 15.8 is 158000. */
const tenThousandths = (text = "") => String(Math.round(Number(text.replace(",", ".")) * 10_000));
/** 2026-06-01 08:10 is 20260601T081000, local time of the union. */
const timestamp = (text = "") => `${text.replaceAll(/[-:]/g, "").replace(/[ T]/, "T")}00`;
const strokes = (text = "") => (text === "" ? -1 : text === "x" ? 0 : Number(text));

function toCard(row: Row): Scorecard {
  const holes = Array.from({ length: 18 }, (_, hole) => strokes(row[hole + 1]));
  return {
    // The same name each time the file is imported, so that a changed row is a correction.
    ExternalID: row.card ?? "",
    CreateDateTime: timestamp(row.start),
    HCP: tenThousandths(row.index),
    CourseHandicap: Number(row["course handicap"]),
    Course: { TeeID: row.tee ?? "" },
    Round: { HolesPlayed: 18, RoundType: 2, StartTime: timestamp(row.start) },
    Result: { Strokes: holes, IsQualifying: true },
    Player: { UnionID: row.player ?? "" },
    Marker: { UnionID: row.marker ?? "" },
  };
}

/** The header is the first line of the file. */
const line = (index: number) => index + 2;

const cards = rows.map(toCard);
const { accepted, cards: validated } = await client.validate(cards);
for (const card of validated) {
  const findings = card.status === 422 ? card.errors : card.warnings;
  const kind = card.status === 422 ? "wrong" : "check";
  for (const { pointer, detail } of findings)
    console.log(`line ${line(card.index)}, ${kind}: ${pointer} ${detail}`);
}
if (!accepted) {
  console.log("Nothing is submitted. Correct these lines, and import the file again.");
  process.exit(1);
}

await client.submitAllOrNone(cards);
const outcomes: Record<string, number> = {};
for await (const { externalId, state, lastError } of client.follow(
  cards.map(({ ExternalID }) => ExternalID),
)) {
  if (isWaiting(state)) continue;
  outcomes[state] = (outcomes[state] ?? 0) + 1;
  if (state !== CardState.delivered) console.log(`${externalId} is ${state}: ${lastError?.message ?? ""}`);
}
console.log(outcomes);
