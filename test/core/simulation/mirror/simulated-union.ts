import type { SeededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { type GuidKey, guidKey } from "../../../../core/formats/identifiers.ts";
import { isTimestamp, wallClock } from "../../../../core/formats/union-time.ts";
import type { VirtualTime } from "../virtual-time.ts";

/** How likely each trouble with a request to the union is, from 0 to 1. */
export interface UnionFaults {
  serverError: number;
  /** No answer in the time that the mirror waits. */
  hang: number;
  reset: number;
  /** An answer that is no list: a page, or a list that ends in the middle. */
  nonsense: number;
  /** A list that looks whole and is not: the first page, or none. */
  cut: number;
  down: boolean;
}

/** A list that the union answered with. */
export interface UnionAnswer {
  /** Undefined for the list of clubs. */
  readonly clubId: GuidKey | undefined;
  readonly isWhole: boolean;
  /** All that the list has, also entries with an ID that cannot be read. */
  readonly ids: readonly GuidKey[];
}

/** What the mirror has of a club, or of the list of clubs if that is undefined. */
export interface MirroredLists {
  ids(clubId: GuidKey | undefined): Promise<ReadonlySet<GuidKey>>;
  /** Whether it waits for a list to come twice. */
  isDoubting(clubId: GuidKey | undefined): Promise<boolean>;
}

/** A simulated union and the changes of its register. */
export interface SimulatedUnion {
  readonly clubs: ReadonlyMap<GuidKey, string>;
  /** Every version that there has ever been. */
  readonly versions: ReadonlyMap<GuidKey, { readonly text: string; readonly templateId: GuidKey }>;
  /** The versions that a club lists. */
  list(clubId: GuidKey): readonly GuidKey[];
  /** Something changes. */
  live(): void;
  /** Every entry can be read again. */
  mend(): void;
  /** Answers as `fetch` would. */
  fetch(address: string): Promise<Response>;
}

const values = [
  "12345678901234567890",
  "9007199254740993",
  "1.5e400",
  "-0",
  '{"__proto__":{"a":1}}',
  '"\\u00e6 ]},\\""',
  "[ 1.0 , 2.50 ]",
  "null",
];
const maxLatency = 3000;
const timeout = 20_000;
const maxClubs = 9;

/**
 * A union of a few clubs, whose clock is a few minutes off.
 *
 * @param onAnswer is told of every good answer to the mirror
 */
export function simulatedUnion(
  time: VirtualTime,
  random: SeededRandom,
  faults: UnionFaults,
  mirrored: MirroredLists,
  onAnswer: (answer: UnionAnswer) => void,
): SimulatedUnion {
  const clubs = new Map<GuidKey, string>();
  const versions = new Map<GuidKey, { text: string; templateId: GuidKey; changedAt: number }>();
  /** By club, when the union counts a version as changed because the club lists it. */
  const lists = new Map<GuidKey, Map<GuidKey, number>>();
  const garbled = new Set<GuidKey>();
  /** Every list that was cut, with its club. */
  const cutLists = new Set<string>();
  const clockError = random.whole(-300_000, 300_000);
  const now = () => time.now() + clockError;
  let made = 0;

  const newId = () => guidKey(`a0000000-0000-4000-8000-${String(++made).padStart(12, "0")}`);
  const anyOf = <T>(all: Iterable<T>): T | undefined =>
    [...all][random.whole(0, Math.max(0, [...all].length - 1))];
  function listOf(clubId: GuidKey): Map<GuidKey, number> {
    const list = lists.get(clubId) ?? new Map<GuidKey, number>();
    lists.set(clubId, list);
    return list;
  }
  const anyVersion = (clubId: GuidKey) => anyOf(listOf(clubId).keys());

  function writeClub(id: GuidKey): void {
    const number = random.oneOf([String(made), `"${made}"`, "null"]);
    clubs.set(
      id,
      `{"ID":"${id}","UnionNumber":${number},"Name":"Club ${++made}","Odd":${random.oneOf(values)}}`,
    );
  }
  function writeVersion(id: GuidKey, clubId: GuidKey, templateId: GuidKey): void {
    const [name, ids] = [++made, `"ID":"${id}","TemplateID":"${templateId}","ClubID":"${clubId}"`];
    const text = `{${ids}, "Name":"Course ${name}","Version":1,"Tees":[],"Odd":${random.oneOf(values)}}`;
    versions.set(id, { text, templateId, changedAt: now() });
  }
  /** The union counts that as a change of the record, or not. */
  const listIn = (clubId: GuidKey, id: GuidKey) => listOf(clubId).set(id, random.chance(0.5) ? now() : 0);
  function addVersion(clubId: GuidKey): void {
    const id = newId();
    const other = versions.get(anyVersion(clubId) ?? id);
    writeVersion(id, clubId, other !== undefined && random.chance(0.3) ? other.templateId : newId());
    listOf(clubId).set(id, now());
  }
  function addClub(): GuidKey {
    const id = newId();
    writeClub(id);
    return id;
  }
  function move(from: GuidKey, to: GuidKey, ids: Iterable<GuidKey>): void {
    for (const id of [...ids]) {
      listOf(from).delete(id);
      listIn(to, id);
    }
  }
  for (let club = 0; club < 6; club++) {
    const id = addClub();
    for (let version = random.whole(0, 6); version > 0; version--) addVersion(id);
  }

  const happenings: ((club: GuidKey, other: GuidKey, version: GuidKey | undefined) => void)[] = [
    (club) => addVersion(club),
    (club) => writeClub(club),
    (club, _, id) => id && writeVersion(id, club, versions.get(id)?.templateId ?? id),
    (club, other, id) => id && writeVersion(id, random.oneOf([club, other]), newId()),
    (club, other, id) => id && move(club, other, [id]),
    (_, other, id) => id && listIn(other, id),
    (club, _, id) => id && listOf(club).delete(id),
    (_, __, id) => id && garbled.add(id),
    (club) => random.chance(0.3) && garbled.add(club),
    () => anyOf(garbled) && garbled.delete(anyOf(garbled) as GuidKey),
    // It is split.
    (club) => {
      if (clubs.size === maxClubs) return;
      const half = [...listOf(club).keys()].filter(() => random.chance(0.5));
      move(club, addClub(), half);
    },
    (club, other) => {
      if (clubs.size < 4) return;
      if (random.chance(0.5)) move(club, other, listOf(club).keys());
      clubs.delete(club);
    },
    // A club that is no more is one again, with what it had.
    () => {
      const former = [...lists.keys()].filter((id) => !clubs.has(id));
      if (former.length > 0) writeClub(random.oneOf(former));
    },
  ];

  const entry = (id: GuidKey, text: string) => (garbled.has(id) ? text.replace(`"${id}"`, '"none"') : text);

  /** What the union would answer if all were well. */
  function listAt(clubId: GuidKey | undefined, since: number): readonly (readonly [GuidKey, string])[] {
    if (clubId === undefined) return [...clubs].map(([id, text]) => [id, entry(id, text)]);
    return [...listOf(clubId)].flatMap(([id, listedAt]) => {
      const version = versions.get(id);
      if (version === undefined || Math.max(listedAt, version.changedAt) <= since) return [];
      return [[id, entry(id, version.text)] as const];
    });
  }

  const respond = (status: number, text: string) =>
    ({
      status,
      headers: new Headers({ "content-length": String(text.length) }),
      text: async () => text,
    }) as Response;

  return {
    clubs,
    versions,
    list: (clubId) => [...listOf(clubId).keys()],
    live() {
      const [club, other] = [random.oneOf([...clubs.keys()]), random.oneOf([...clubs.keys()])];
      if (club !== other) random.oneOf(happenings)(club, other, anyVersion(club));
    },
    mend: () => garbled.clear(),
    async fetch(address) {
      const { pathname, searchParams } = new URL(address);
      const [, , , , id, ofClub] = pathname.split("/");
      const clubId = ofClub === undefined ? undefined : guidKey(id ?? "");
      const changedSince = searchParams.get("changedsince") ?? "";
      const since = isTimestamp(changedSince) ? wallClock(changedSince) : -1;
      await time.sleep(random.whole(20, maxLatency));
      if (faults.down || random.chance(faults.serverError)) return respond(500, "");
      if (random.chance(faults.reset)) throw new TypeError("fetch failed");
      if (random.chance(faults.hang)) {
        await time.sleep(timeout);
        throw new DOMException("late", "TimeoutError");
      }
      if (clubId !== undefined && !clubs.has(clubId)) {
        onAnswer({ clubId, isWhole: true, ids: [] });
        return respond(404, "");
      }
      const list = listAt(clubId, since);
      const text = (entries: typeof list) => `[${entries.map(([, one]) => one).join(" ,")}]`;
      if (random.chance(faults.nonsense))
        return respond(200, random.oneOf(["<html>", "{}", text(list).slice(0, -1)]));
      if (since === -1 && random.chance(faults.cut)) {
        const kept = list.slice(0, random.oneOf([0, Math.ceil(list.length / 2)]));
        // However often the list of clubs is cut, no club may be missing.
        if (clubId === undefined) return respond(200, text(kept));
        const keptIds = kept.map(([id]) => id);
        const name = JSON.stringify([clubId, keptIds]);
        const ids = await mirrored.ids(clubId);
        const lacking = [...ids].filter((id) => !keptIds.includes(id)).length;
        // With less missing it would be a good list.
        const isShort = lacking > 0 && 3 * lacking >= ids.size;
        // If it comes twice, it is the union's word. But a mirror that is killed forgets what came in between.
        const isBelieved = cutLists.has(name) && (await mirrored.isDoubting(clubId));
        if (isShort && !isBelieved) {
          cutLists.add(name);
          return respond(200, text(kept));
        }
      }
      onAnswer({ clubId, isWhole: since === -1, ids: list.map(([one]) => one) });
      return respond(200, text(list));
    },
  };
}
