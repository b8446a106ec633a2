/** A version as the union showed it last, and what is known of it. Times in milliseconds since 1970, UTC. */
export interface KnownVersion {
  readonly id: string;
  readonly templateId: string;
  readonly clubId: string;
  readonly isActive: boolean;
  readonly activatedAt: number;
  readonly tees: readonly { readonly id: string; readonly name: string; readonly holes: number }[];
  /** When no club was seen to list it any more. */
  readonly removedAt?: number | undefined;
}

/** A round as a card names it. `course` is the ID of a version or a template. */
export interface NamedRound {
  readonly startedAt: number;
  readonly strokes: number;
  readonly course?: string;
  readonly club?: string;
  readonly tee: { readonly id: string } | { readonly name: string };
}

/** What must become of the card: a fault, or the version that it is checked with and its warnings. */
export type RightAnswer =
  | { readonly fault: string }
  | { readonly version: string; readonly warnings: readonly string[] };

/**
 * What is right for a card on a course, written from the rules alone: a removed version is none for rounds after its removal; the
 * version is the one activated last, an active one if there is one; a tee is of all courses that have it.
 */
export function rightAnswer(known: readonly KnownVersion[], round: NamedRound): RightAnswer {
  const { course: named, club, tee, strokes, startedAt } = round;
  const teeOf = ({ tees }: KnownVersion) =>
    tees.find(({ id, name }) => ("id" in tee ? id === tee.id : name === tee.name));
  const isNamed = (one: KnownVersion) =>
    named === undefined ? teeOf(one) !== undefined : named === one.id || named === one.templateId;
  const newestFirst = known.toSorted((one, other) => other.activatedAt - one.activatedAt);
  const last = (versions: readonly KnownVersion[]) => versions.find((one) => one.activatedAt <= startedAt);
  const templates = new Set(known.filter(isNamed).map(({ templateId }) => templateId));
  const courses = [...templates].map((templateId) => {
    const there = newestFirst.filter(
      (one) => one.templateId === templateId && (one.removedAt === undefined || one.removedAt > startedAt),
    );
    const active = last(there.filter((one) => one.isActive && one.removedAt === undefined));
    return { there, version: active ?? last(there), isActive: active !== undefined };
  });
  const prefers: ((one: (typeof courses)[number]) => boolean)[] = [
    ({ version }) => version !== undefined,
    ({ there }) => there.length > 0,
    ({ version }) => version !== undefined && teeOf(version) !== undefined,
    ({ isActive }) => isActive,
    ({ version }) => version !== undefined && teeOf(version)?.holes === strokes,
  ];
  const left = prefers.reduce((some, isPreferred) => {
    const preferred = some.filter(isPreferred);
    return preferred.length > 0 ? preferred : some;
  }, courses);
  const [course] = left;
  if (course === undefined) return { fault: "course_unknown" };
  if (course.there.length === 0) return { fault: "course_removed" };
  if (left.length > 1) return { fault: "tee_ambiguous" };
  const { version, there, isActive } = course;
  if (version === undefined) return { fault: "version_not_in_force" };
  const ofClub = (one: KnownVersion) => club === undefined || one.clubId === club;
  if (!known.some((one) => one.templateId === version.templateId && ofClub(one)))
    return { fault: "club_mismatch" };
  const played = [version, ...there].find(teeOf);
  if (played === undefined) return { fault: "tee_unknown" };
  if (teeOf(played)?.holes !== strokes) return { fault: "strokes_count" };
  const warnings = [
    ...(isActive ? [] : ["version_inactive"]),
    ...(named === undefined || named === version.id || named === version.templateId
      ? []
      : ["version_differs"]),
    ...(ofClub(version) ? [] : ["club_differs"]),
    ...(played === version ? [] : ["tee_of_other_version"]),
  ];
  return { version: played.id, warnings: warnings.sort() };
}
