import * as z from "zod/mini";
import { isUnionId, unionIdKey } from "../../core/formats/identifiers.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { faultsText, readJson, tooLarge } from "../http/read-json.ts";

/** What a start list may have; docs/submitting.md has the same figures. */
export const startListLimits = { players: 2_000, bytes: 1_048_576, rounds: 10, label: 8 } as const;
/** Enough values for a list of far too many players to be refused for that. */
const bodyLimits = { bytes: startListLimits.bytes, values: 100_000, levels: 4 };
const remedy = "Send a list for each day, or under another TournamentName.";
/** Faults that an answer has. */
const maxFaults = 100;

/** A fault of a start list's player. */
export interface PlayerFault {
  /** The player's place in the list, from 0. */
  readonly index: number;
  /** Position in the body, as a JSON pointer. @see RFC 6901 */
  readonly pointer: string;
  /** What is wrong and what to change. Never holds data of a person. */
  readonly detail: string;
}

/** A player as a vendor lists one. */
export interface PlayerInput {
  readonly unionId: string;
  readonly label?: string | undefined;
}

/** A vendor's request to keep a start list. */
export interface StartListInput {
  /** TournamentName, for a path that has its ID. */
  readonly name?: string | undefined;
  readonly rounds?: readonly number[] | undefined;
  readonly players: readonly PlayerInput[];
}

const roundFault = { error: "must be a whole number from 1 to 99" };
const round = z.int(roundFault).check(z.minimum(1, roundFault), z.maximum(99, roundFault));

/** Players are read by themselves, so that each fault says whose it is. */
const listSchema = z.strictObject({
  name: z.optional(z.string({ error: "must be the TournamentName, a text" })),
  rounds: z.optional(
    z.array(round, { error: "must be an array of round numbers" }).check(
      z.minLength(1, { error: "must name a round; leave it out if you do not know" }),
      z.maxLength(startListLimits.rounds, { error: `must be at most ${startListLimits.rounds} rounds` }),
      z.refine((rounds) => new Set(rounds).size === rounds.length, { error: "must name each round once" }),
    ),
  ),
  players: z
    .array(z.unknown(), { error: "must be an array" })
    .check(z.minLength(1, { error: "must have a player; to remove the list, send DELETE" })),
});

const unionIdFault =
  "must be a text with the club number, a hyphen and the member number, e.g. 32-1, as the card's Player.UnionID";
const labelFault = `must be 1 to ${startListLimits.label} letters, digits, spaces or ./_#- with a digit among them, e.g. 17 or A-12; a name is not stored`;

/** Without a digit it would be a name. */
export const labelPattern = "^[A-Za-z ./_#-]*[0-9][0-9A-Za-z ./_#-]*$";
const labelForm = new RegExp(labelPattern);
const isLabel = (text: string) => text.length <= startListLimits.label && labelForm.test(text);

const playerSchema = z.strictObject({
  unionId: z.string({ error: unionIdFault }).check(z.refine(isUnionId, { error: unionIdFault })),
  label: z.optional(z.string({ error: labelFault }).check(z.refine(isLabel, { error: labelFault }))),
});

/**
 * Reads the body of a request to keep a start list.
 *
 * @throws ProblemError 400 if it is not one, 413 if it is too large, 422 with the faults of its players
 */
export function readStartList(body: string): StartListInput {
  const { players: maxPlayers } = startListLimits;
  const read = listSchema.safeParse(readJson(body, bodyLimits, "start list", remedy));
  if (!read.success) {
    const faults = read.error.issues.map(({ code, path, message }) => {
      if (code === "unrecognized_keys") return "It has name, rounds and players, and no other fields";
      if (path.length === 0) return "The body must be a JSON object";
      return `${path.join(".")} ${message}`;
    });
    const detail = `Send JSON such as {"rounds": [1], "players": [{"unionId": "32-1", "label": "17"}]}. ${faultsText(faults)}`;
    throw new ProblemError(problem(400, "Not a start list", detail));
  }
  const { name, rounds, players } = read.data;
  if (players.length > maxPlayers)
    throw tooLarge("start list", `${maxPlayers.toLocaleString("en")} players`, remedy);
  return { name, rounds, players: readPlayers(players) };
}

/** @throws ProblemError 422 */
function readPlayers(entries: readonly unknown[]): PlayerInput[] {
  const faults: PlayerFault[] = [];
  const players: PlayerInput[] = [];
  const indexOf = new Map<string, number>();
  entries.forEach((entry, index) => {
    const read = playerSchema.safeParse(entry);
    if (!read.success) {
      for (const { code, path, message } of read.error.issues) {
        const pointer = [`/players/${index}`, ...path].join("/");
        faults.push({ index, pointer, detail: detailOf(code, path, message) });
      }
      return;
    }
    const key = unionIdKey(read.data.unionId);
    const first = indexOf.get(key);
    if (first === undefined) indexOf.set(key, index);
    else {
      const detail = `The same player is at index ${first}, perhaps in another spelling. Send each player once.`;
      faults.push({ index, pointer: `/players/${index}/unionId`, detail });
    }
    players.push(read.data);
  });
  // A label is shown and stored as it is, so it must not be what the list is kept without.
  entries.forEach((entry, index) => {
    const { label } = (entry ?? {}) as Partial<PlayerInput>;
    if (typeof label !== "string" || !indexOf.has(unionIdKey(label))) return;
    const detail =
      "label is a UnionID of the list, which is not stored. Send a start number, or leave it out.";
    faults.push({ index, pointer: `/players/${index}/label`, detail });
  });
  if (faults.length === 0) return players;
  const bad = new Set(faults.map(({ index }) => index)).size;
  throw new ProblemError({
    ...problem(
      422,
      "Start list not accepted",
      `${bad} of ${entries.length} players cannot be accepted, so the list was not stored, and an earlier one stays. Fix what \`players\` lists, and send the list again.`,
    ),
    players: faults.toSorted((one, other) => one.index - other.index).slice(0, maxFaults),
    ...(faults.length > maxFaults && { playersLeftOut: faults.length - maxFaults }),
  });
}

function detailOf(code: string, path: readonly PropertyKey[], message: string): string {
  if (code === "unrecognized_keys") {
    return "A player has unionId and label only: names and other numbers are not stored. Leave the other fields out.";
  }
  return path.length === 0
    ? 'A player is an object such as {"unionId": "32-1", "label": "17"}.'
    : `${path.join(".")} ${message}.`;
}
