import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the package that a file below node_modules is of, e.g. `node_modules/@aws-sdk/core`; undefined for our own files. */
function packageFolder(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

/** What a package's own files say of its licence, and of those that it contains. */
const isNotice = (name: string) => /^(licen[cs]e|notice|copying|thirdparty|third-party)/i.test(name);

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

/**
 * The notices that go with a bundle: each package that has code in it, with its licence. They are a file of their own, since a bundle
 * with them would be read and compiled at every start.
 *
 * @param files of the bundle, relative to the project's root
 * @throws Error if a package names no licence
 */
export function noticesOf(root: string, files: Iterable<string>): string {
  const folders = new Set([...files].flatMap((file) => packageFolder(file) ?? []));
  // The same package may be there twice in one version, for two that depend on it.
  const notices = new Map<string, string>();
  for (const folder of [...folders].sort()) {
    const path = join(root, folder);
    const { name, version, license }: Manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    if (license === undefined) throw new Error(`${folder} names no licence. Replace it, or ask its keeper.`);
    const texts = readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile() && isNotice(entry.name))
      .map((entry) => readFileSync(join(path, entry.name), "utf8").trim());
    notices.set(`${name} ${version}`, [`${name} ${version}, ${license}`, ...texts].join("\n\n"));
  }
  return `${[...notices.values()].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
