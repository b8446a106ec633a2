import { type GuidKey, guidKey } from "../formats/guid.ts";
import { isTimestamp, wallClock } from "../formats/timestamp.ts";
import type { CourseVersion, Tee } from "./course.ts";

/** What is looked at when choosing among course versions. */
export interface VersionFacts {
  readonly id: GuidKey;
  readonly templateId: GuidKey;
  readonly clubId: GuidKey;
  /** When it became valid, in milliseconds since 1970, UTC; infinity where the register does not say. */
  readonly activatedAt: number;
  readonly active: boolean;
  readonly version: number;
  readonly tees: readonly Tee[];
  readonly teesById: ReadonlyMap<GuidKey, Tee>;
}

const known = new WeakMap<CourseVersion, VersionFacts>();

/** Reads what is looked at when choosing among versions. It is kept with the version and not read again. */
export function versionFacts(version: CourseVersion): VersionFacts {
  let facts = known.get(version);
  if (facts === undefined) {
    facts = readFacts(version);
    known.set(version, facts);
  }
  return facts;
}

function readFacts(version: CourseVersion): VersionFacts {
  const activation: unknown = version.ActivationDate;
  const listed: unknown[] = Array.isArray(version.Tees) ? version.Tees : [];
  const tees = listed.filter((tee): tee is Tee => typeof tee === "object" && tee !== null);
  return {
    id: guidKey(version.ID),
    templateId: guidKey(version.TemplateID),
    clubId: guidKey(version.ClubID),
    activatedAt:
      typeof activation === "string" && isTimestamp(activation)
        ? wallClock(activation)
        : Number.POSITIVE_INFINITY,
    active: version.IsActive === true,
    version: version.Version,
    tees,
    // Reversed, so that of several tees with one ID the first is found.
    teesById: new Map(
      tees.flatMap((tee) => (typeof tee.ID === "string" ? [[guidKey(tee.ID), tee] as const] : [])).reverse(),
    ),
  };
}
