import Table from "cli-table3";

/** A player whose rounds the union has processed. */
export interface MovedHandicap {
  readonly member: {
    readonly FirstName: string;
    readonly LastName: string;
    readonly Memberships: readonly { readonly UnionID: string }[];
  };
  /** Number of processed rounds. */
  readonly rounds: number;
  /** Handicap Index in tenths; undefined for a player who had none, or has none yet. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

const maxShown = 10;

/** A Handicap Index as golfers write it: one better than 0 has a plus. */
export function formatHandicapIndex(tenths: number | undefined): string {
  if (tenths === undefined) return "none";
  return tenths < 0 ? `+${(-tenths / 10).toFixed(1)}` : (tenths / 10).toFixed(1);
}

const movement = ({ before, after }: MovedHandicap) =>
  before === undefined || after === undefined ? 0 : after - before;

function changeInWords(moved: MovedHandicap): string {
  if (moved.before === undefined) return "new";
  const tenths = movement(moved);
  return `${tenths > 0 ? "+" : ""}${(tenths / 10).toFixed(1)}`;
}

/** A table of the largest changes of handicaps, as text without colours, and the numbers of rises and falls below it. */
export function handicapTable(players: readonly MovedHandicap[]): string {
  const isNew = ({ before, after }: MovedHandicap) => before === undefined && after !== undefined;
  const fell = players.filter((player) => movement(player) < 0);
  const rose = players.filter((player) => movement(player) > 0);
  const first = players.filter(isNew);
  const stayed = players.length - fell.length - rose.length - first.length;
  const table = new Table({
    head: ["Player", "UnionID", "Rounds", "Before", "After", "Change"],
    style: { head: [], border: [] },
    colAligns: ["left", "left", "right", "right", "right", "right"],
  });
  const shown = [...fell, ...rose].sort((one, other) => Math.abs(movement(other)) - Math.abs(movement(one)));
  for (const player of shown.slice(0, maxShown)) {
    const { member, rounds, before, after } = player;
    const name = `${member.FirstName} ${member.LastName}`;
    const unionId = member.Memberships[0]?.UnionID ?? "";
    table.push([
      name,
      unionId,
      rounds,
      formatHandicapIndex(before),
      formatHandicapIndex(after),
      changeInWords(player),
    ]);
  }
  const summary = `Handicaps: ${fell.length} fell, ${rose.length} rose, ${stayed} stayed, ${first.length} are new.`;
  return `${table.toString()}\n${summary}`;
}
