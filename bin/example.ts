import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { vendorEnvironment } from "../local/pipeline/vendor-environment.ts";

const folder = fileURLToPath(new URL("../docs/examples", import.meta.url));
const names = readdirSync(folder).flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? []);

const [, , name = "", ...parameters] = process.argv;
const file = `${folder}/${name}.ts`;
if (!names.includes(name) || !existsSync(file)) {
  process.stderr.write(`error: Name an example: npm run example -- ${names.join("|")}\n`);
  process.exit(2);
}
const env = { ...process.env, ...(await vendorEnvironment(process.env)) };
const example = spawn(process.execPath, [file, ...parameters], { stdio: "inherit", env });
example.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
