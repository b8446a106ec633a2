import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { lastingResources } from "../lib/releases/lasting-resources.ts";
import { type Release, releaseFolder } from "../lib/releases/release.ts";
import { type Stage, stackName } from "../lib/stage-settings.ts";
import { synthesizeCommit } from "../local/releases/synthesize-release.ts";

const command = new Command("npm run release:record --")
  .description("Records what a release deploys that must outlive each update, in lib/releases/")
  .argument("<version>", "as in CHANGELOG.md, e.g. 0.3.0")
  .argument("<commit>", "the release's commit")
  .option("--data-version <number>", "the release's data version, of lib/data-version.ts", Number, 1)
  .parse();
const [version = "", commit = ""] = command.args;
const { dataVersion } = command.opts<{ dataVersion: number }>();

const folder = await mkdtemp(join(tmpdir(), "scorecards-release-"));
try {
  const assembly = await synthesizeCommit(commit, folder, ["allow-placeholders=true"]);
  const resourcesOf = (stage: Stage) => {
    const template = readFileSync(join(assembly, `${stackName(stage)}.template.json`), "utf8");
    return lastingResources(JSON.parse(template).Resources);
  };
  const release: Release = {
    version,
    commit,
    dataVersion,
    resources: { test: resourcesOf("test"), production: resourcesOf("production") },
  };
  const file = join(releaseFolder, `${version}.json`);
  await writeFile(file, `${JSON.stringify(release, null, 2)}\n`);
  console.log(`Wrote ${file}.`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
