import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readRunFile, runFilePath } from "../local/pipeline/run-file.ts";

const folder = fileURLToPath(new URL("../docs/examples", import.meta.url));
const names = readdirSync(folder).flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? []);

const [, , name = "", ...parameters] = process.argv;
const file = `${folder}/${name}.ts`;
if (!names.includes(name) || !existsSync(file)) {
  process.stderr.write(`error: Name an example: npm run example -- ${names.join("|")}\n`);
  process.exit(2);
}
/** Of the local run and its first demo account, if one runs and the environment names no other API. */
const run =
  process.env.SCORECARDS_API === undefined ? await readRunFile(runFilePath(process.env)) : undefined;
const { username, password } = run?.accounts[0] ?? {};
const vendor = { SCORECARDS_API: run?.api, SCORECARDS_USERNAME: username, SCORECARDS_PASSWORD: password };
const env = { ...process.env, ...(run !== undefined && vendor) };
const example = spawn(process.execPath, [file, ...parameters], { stdio: "inherit", env });
example.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
