/** Licences of packages whose code is in what we hand out or run. */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
]);
/** Licences of packages that only build and test, besides those. None of them is in what we hand out. */
const allowedForTools = new Set(["CC-BY-4.0", "CC0-1.0", "MPL-2.0", "PSF-2.0", "Python-2.0"]);

/** The parts of package-lock.json that are read. @see npm, package-lock.json */
interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** A package whose licence is not allowed. */
export interface RefusedLicence {
  /** Its folder, e.g. `node_modules/left-pad`. */
  readonly folder: string;
  /** What it names; undefined if it names none. */
  readonly license: string | undefined;
}

/** Whether an SPDX expression allows a choice of allowed licences. AND binds more closely than OR. @see SPDX, annex D */
function isAllowed(expression: string, isKnown: (license: string) => boolean): boolean {
  const choices = expression.replaceAll(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((license) => isKnown(license.trim())));
}

/** The packages of a lock file whose licences are not allowed: those of tools may have some more. */
export function refusedLicences({ packages }: Lockfile): RefusedLicence[] {
  return Object.entries(packages).flatMap(([folder, { license, dev, link }]) => {
    if (!folder.includes("node_modules/") || link) return [];
    const isKnown = (one: string) => allowed.has(one) || (dev === true && allowedForTools.has(one));
    return license !== undefined && isAllowed(license, isKnown) ? [] : [{ folder, license }];
  });
}
