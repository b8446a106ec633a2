import type { TournamentCard, TournamentRefusal } from "@scorecard-pipeline/scorecards-client";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { en } from "../../portal/texts/tournaments/en.ts";
import { chooseSeparator, writeTournamentCsv } from "../../portal/views/tournaments/tournament-csv.ts";

const card: TournamentCard = {
  externalId: 'a "quoted", card;\nof two lines',
  version: 1,
  state: "delivered",
  acceptedAt: "2026-07-04T15:00:00.000Z",
  since: "2026-07-04T15:00:01.000Z",
  day: "2026-07-04",
  round: 1,
  warnings: ["player_unknown", "not_recorded"],
  record: "not_recorded",
  player: "p",
  playerName: '=HYPERLINK("https://evil.example")',
  clubName: "@club",
  playingHandicap: -2,
  result: { holes: 18, played: 18, par: 72, points: 30, gross: 70, net: 72 },
};
const refusal: TournamentRefusal = {
  day: "2026-07-04",
  at: "2026-07-04T15:00:00.000Z",
  requestId: "r",
  index: 3,
  isCorrection: false,
  errors: [{ index: 3, pointer: "/HCP", code: "out_of_range", detail: "Send less." }],
};

test.each([",", ";"] as const)(
  "a table with %s between its cells has every card, and no formula",
  (separator) => {
    const form = { words: en.csv, stateText: (state: string) => state.toUpperCase(), separator };
    const text = writeTournamentCsv([card], [refusal], form);
    expect(text.startsWith("\ufeff")).toBe(true);
    const rows = parse(text, { bom: true, columns: true, delimiter: separator }) as Record<string, string>[];
    expect(rows).toEqual([
      {
        ExternalID: card.externalId,
        Day: "2026-07-04",
        Round: "1",
        Player: `'${card.playerName}`,
        Club: "'@club",
        "Playing Handicap": "-2",
        Holes: "18",
        "Holes played": "18",
        Gross: "70",
        Net: "72",
        Points: "30",
        State: "DELIVERED",
        "In the player's record": "no",
        Warnings: "player_unknown not_recorded",
        Faults: "",
      },
      expect.objectContaining({ ExternalID: "", State: "REFUSED", Faults: "/HCP Send less.", Gross: "" }),
    ]);
  },
);

test.each([",", ";", "\t"])(
  "a name with a formula in it stays one quoted cell for a reader who takes %j",
  (separator) => {
    const form = { words: en.csv, stateText: (state: string) => state, separator: ";" } as const;
    const playerName = `Ann${separator}=HYPERLINK("https://evil.example")`;
    const [, row = ""] = writeTournamentCsv([{ ...card, externalId: "1", playerName }], [], form).split(
      "\r\n",
    );
    const cells = (parse(row, { delimiter: separator, relax_quotes: true }) as string[][]).flat();
    expect(cells.filter((cell) => /^[=+@]/.test(cell))).toEqual([]);
  },
);

test.each([
  ["da-DK", ";"],
  ["en-GB", ","],
  ["de", ";"],
])("spreadsheets in %s expect %s", (locale, separator) => {
  expect(chooseSeparator(locale)).toBe(separator);
});
