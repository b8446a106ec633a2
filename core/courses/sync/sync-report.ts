import type { IncompleteVersion, MirroredClub } from "./sync-club.ts";

/** A club that could not be mirrored. */
export interface FailedClub {
  readonly club: string;
  /** Passes that failed since its last good one, this one included. */
  readonly failures: number;
  readonly reason: string;
}

/** What a pass came to. */
export interface PassReport {
  /** Whether the union gave its list of clubs. */
  readonly listed: boolean;
  /** Clubs to mirror. */
  readonly clubs: number;
  /** Clubs that the union does not list any more. */
  readonly removedClubs: number;
  /** Clubs whose courses were asked for and stored. */
  readonly mirrored: number;
  readonly changedVersions: number;
  readonly goneVersions: number;
  /** Changed versions whose cards cannot be worked out. */
  readonly incompleteVersions: number;
  /** Clubs that failed; they are asked again next time. */
  readonly failed: number;
  /** Clubs that no pass has mirrored yet. */
  readonly unmirrored: number;
  /** Clubs left for the next pass, since the time was up or the union was down. */
  readonly left: number;
  /** Entries of the union's answers that could not be read. */
  readonly unreadable: number;
  /** Age of what is mirrored of the club that is furthest behind; undefined where there is no club at all. */
  readonly stalestMilliseconds: number | undefined;
  /** The first of each with the reasons, for whoever reads the log. */
  readonly examples: {
    readonly failed: readonly FailedClub[];
    readonly incomplete: readonly IncompleteVersion[];
  };
}

/** How many failed clubs and how many incomplete versions are named. */
const examplesNamed = 10;

/** Counts what a pass comes to. */
export function tallyOfPass() {
  const counts = {
    mirrored: 0,
    changedVersions: 0,
    goneVersions: 0,
    incompleteVersions: 0,
    failed: 0,
    left: 0,
    unreadable: 0,
  };
  let listed = true;
  const failed: FailedClub[] = [];
  const incomplete: IncompleteVersion[] = [];
  const reasonOf = (error: unknown) =>
    error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    clubsNotListed(error: unknown): undefined {
      listed = false;
      failed.push({ club: "the list of clubs", failures: 1, reason: reasonOf(error) });
    },
    mirrored(club: MirroredClub): void {
      counts.mirrored++;
      counts.changedVersions += club.changed;
      counts.goneVersions += club.gone;
      counts.incompleteVersions += club.incomplete.length;
      counts.unreadable += club.unreadable;
      incomplete.push(...club.incomplete.slice(0, examplesNamed - incomplete.length));
    },
    gone(versions: number): void {
      counts.goneVersions += versions;
    },
    failed(club: string, failures: number, error: unknown): void {
      counts.failed++;
      if (failed.length < examplesNamed) failed.push({ club, failures, reason: reasonOf(error) });
    },
    left(): void {
      counts.left++;
    },
    report(whole: {
      readonly clubs: number;
      readonly removedClubs: number;
      readonly unmirrored: number;
      readonly unreadableClubs: number;
      readonly stalestMilliseconds: number | undefined;
    }): PassReport {
      const { unreadableClubs, ...rest } = whole;
      return {
        listed,
        ...rest,
        ...counts,
        unreadable: counts.unreadable + unreadableClubs,
        examples: { failed, incomplete },
      };
    },
  };
}
