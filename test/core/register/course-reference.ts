/** A version as the union's register has it. Times are in milliseconds since 1970, UTC. */
export interface Version {
  readonly id: string;
  readonly templateId: string;
  readonly clubId: string;
  readonly number: number;
  readonly isActive: boolean;
  readonly activatedAt: number;
  readonly tees: readonly {
    readonly id: string;
    readonly name: string;
    readonly holes: number;
    /** Names the tee in this version: no other has the same. */
    readonly rating: string;
  }[];
}

/** What each club of a union listed at a time. */
export interface Look {
  readonly at: number;
  readonly listed: readonly { readonly clubId: string; readonly version: Version }[];
}

/** A round as a card names it. `course` is the ID of a version or a template; `dayEndsAt` is the last moment of its day. */
export interface NamedRound {
  readonly startedAt: number;
  readonly dayEndsAt: number;
  readonly strokes: number;
  readonly course?: string;
  readonly club?: string;
  readonly tee: { readonly id: string } | { readonly name: string };
}

/** What must become of the card: a fault, or the version of its tee, its club and its warnings. */
export type RightAnswer =
  | { readonly fault: string }
  | { readonly version: string; readonly club: string; readonly warnings: readonly string[] };

const distinct = (ids: readonly string[]) => [...new Set(ids)];

const latest = <T extends Version>(versions: readonly T[], first: (one: T) => boolean = () => false): T[] =>
  versions.toSorted(
    (one, other) =>
      Number(first(other)) - Number(first(one)) ||
      other.activatedAt - one.activatedAt ||
      other.number - one.number,
  );

/** What is known at the end of each version that a union ever listed: its last record, who lists it, and since when nobody does. */
export function knownVersions(looks: readonly Look[]) {
  const ids = distinct(looks.flatMap(({ listed }) => listed.map(({ version }) => version.id)));
  return ids.map((id) => {
    const last = looks.findLastIndex(({ listed }) => listed.some(({ version }) => version.id === id));
    const seen = looks[last]?.listed.filter(({ version }) => version.id === id) ?? [];
    const goneAt = looks[last + 1]?.at ?? Number.POSITIVE_INFINITY;
    const { version } = seen.at(-1) as Look["listed"][number];
    const clubs = goneAt < Number.POSITIVE_INFINITY ? [] : seen.map(({ clubId }) => clubId).sort();
    return { ...version, clubs, homes: clubs.length > 0 ? clubs : [version.clubId], goneAt };
  });
}

/**
 * What is right for a card on a course, from the rules alone: each version that a club may have played on that day is ranked by what it
 * has in common with the card, and the best is the round's, unless the best are several courses'.
 */
export function rightAnswer(known: ReturnType<typeof knownVersions>, round: NamedRound): RightAnswer {
  type Known = (typeof known)[number];
  const { course, club, tee, strokes, startedAt } = round;
  const findTee = ({ tees }: Known) =>
    tees.find((one) => ("id" in tee ? one.id === tee.id : one.name === tee.name));
  const isNamed = (one: Known) =>
    course ? [one.id, one.templateId].includes(course) : findTee(one) !== undefined;
  const isShown = (one: Known) => one.goneAt === Number.POSITIVE_INFINITY && one.isActive;
  const isOf = (one: Known, clubId: string | undefined) =>
    clubId === one.clubId || one.homes.includes(clubId ?? "");
  const ofTemplate = (id: string) => known.filter(({ templateId }) => templateId === id);
  const clubsOf = (id: string) => distinct(ofTemplate(id).flatMap((one) => (isShown(one) ? one.homes : [])));
  const templates = distinct(known.filter(isNamed).map(({ templateId }) => templateId));
  const there = templates.flatMap(ofTemplate).filter(({ goneAt }) => goneAt > startedAt);
  if (there.length === 0) return { fault: "course_removed" };
  const until = there.some(({ activatedAt }) => activatedAt <= startedAt) ? startedAt : round.dayEndsAt;
  const isInForce = (one: Known) => until === startedAt && isShown(one);
  const views = templates.flatMap((template) => {
    const clubs = clubsOf(template);
    const isPast = ({ homes }: Known) => !homes.some((clubId) => clubs.includes(clubId));
    const isSeenBy = (id: string) => (one: Known) => one.homes.includes(id) || isPast(one);
    const all = ofTemplate(template);
    return clubs.length < 2 ? [all] : clubs.map((id) => all.filter(isSeenBy(id)));
  });
  const ranked = views.flatMap((view) => {
    const begun = view.filter((one) => there.includes(one) && one.activatedAt <= until);
    return latest(begun, isInForce)
      .slice(0, 1)
      .map((version) => {
        const isNamedHere = view.some(({ id }) => id === course);
        const played = findTee(version);
        const merits = [isNamedHere, isOf(version, club), played !== undefined, isInForce(version)];
        return { version, rank: [...merits, played?.holes === strokes].map(Number).join("") };
      });
  });
  const best = ranked.map(({ rank }) => rank).reduce((one, other) => (one > other ? one : other), "");
  const [version, ...others] = latest(ranked.filter(({ rank }) => rank === best).map((one) => one.version));
  if (version === undefined) return { fault: "version_not_in_force" };
  const { templateId, homes, clubId: own } = version;
  if (others.some((other) => other.templateId !== templateId)) return { fault: "tee_ambiguous" };
  const listing = homes.includes(own) ? own : String(homes[0]);
  const isClubRight = [undefined, own, listing].includes(club);
  if (!isClubRight && !ofTemplate(templateId).some((one) => isOf(one, club)))
    return { fault: "club_mismatch" };
  const isOther = (one: Known) =>
    clubsOf(templateId).length > 1 && isShown(one) && !one.homes.some((home) => homes.includes(home));
  const beside = there.filter((one) => one.templateId === templateId && !isOther(one));
  const played = [version, ...latest(beside)].find(findTee);
  if (played === undefined) return { fault: "tee_unknown" };
  if (findTee(played)?.holes !== strokes) return { fault: "strokes_count" };
  const warnings = [
    ...(isClubRight ? [] : ["club_differs"]),
    ...(played === version ? [] : ["tee_of_other_version"]),
    ...(until > startedAt ? ["version_activated_later"] : []),
    ...(course !== undefined && !isNamed(version) ? ["version_differs"] : []),
    ...(until > startedAt || isInForce(version) ? [] : ["version_inactive"]),
  ];
  return { version: played.id, club: club ?? listing, warnings: warnings.sort() };
}
