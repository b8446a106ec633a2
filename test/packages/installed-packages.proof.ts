import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { build } from "esbuild";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, sharedChromium } from "../../local/browser.ts";
import { type InstalledPackage, installPackage } from "./installed-package.ts";

const run = promisify(execFile);

/** The JavaScript blocks of a package's README, in order. */
async function examplesOf(folder: string): Promise<string[]> {
  const readme = await readFile(`packages/${folder}/README.md`, "utf8");
  return Array.from(readme.matchAll(/```js\n([\s\S]+?)```/g), ([, code = ""]) => code);
}

describe.each([
  { folder: "local-aws", besides: ["aws-cdk-lib", "constructs", "@types/node"] },
  { folder: "stand-in", besides: ["@types/node"] },
  { folder: "whs", besides: ["@types/node"] },
])("packages/$folder", ({ folder, besides }) => {
  let home: InstalledPackage;
  beforeAll(async () => {
    home = await installPackage(folder, besides);
  });
  afterAll(() => home?.remove());

  const runFile = async (file: string) => (await run(process.execPath, [file], { cwd: home.folder })).stdout;

  test(`publint finds nothing to mend in the package ${folder}`, async () => {
    const { buffer, byteOffset, byteLength } = home.tarball;
    const data = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
    const { messages } = await publint({ pack: { tarball: data }, strict: true });
    expect(messages).toEqual([]);
  });

  test(`every face of the package ${folder} can be imported, and has its types`, async () => {
    const { name, exports } = JSON.parse(await readFile(join(home.installed, "package.json"), "utf8"));
    const faces = Object.keys(exports).filter((face) => !/package\.json|\*/.test(face));
    const imports = faces.map(
      (face, index) =>
        `import * as face${index} from "${name}${face.slice(1)}";\nconsole.log(face${index});\n`,
    );
    await writeFile(join(home.folder, "faces.ts"), imports.join(""));
    await runFile("faces.ts");
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--types", "node"];
    const tsc = resolve("node_modules/typescript/bin/tsc");
    // It prints errors on stdout, which the error of `run` does not show.
    const compile = promisify(execFile)(process.execPath, [tsc, ...options, "faces.ts"], {
      cwd: home.folder,
    });
    expect(await compile.catch(({ stdout }) => ({ stdout }))).toMatchObject({ stdout: "" });
  });

  test(`the example in the README of ${folder} runs once the package is installed`, async () => {
    const examples = await examplesOf(folder);
    if (folder === "local-aws") {
      const [handler = "", stack = ""] = examples;
      await mkdir(join(home.folder, "function"));
      await writeFile(join(home.folder, "function/index.mjs"), handler);
      await writeFile(join(home.folder, "run.mjs"), stack);
      expect(await runFile("run.mjs")).toBe('stored { "id": "417", "item": "tees" }\n');
      expect(await readFile("packages/local-aws/README.md", "utf8")).toContain("# stored {");
    } else if (folder === "whs") {
      const readme = await readFile("packages/whs/README.md", "utf8");
      const printed = Array.from(readme.matchAll(/`([^`]+, so [^`]+)`/g), ([, line]) => `${line}\n`);
      await writeFile(join(home.folder, "card.mjs"), String(examples[0]));
      expect(await runFile("card.mjs")).toBe(printed.join(""));
    } else {
      await writeFile(join(home.folder, "round.mjs"), String(examples[0]));
      expect(await runFile("round.mjs")).toBe(
        "Handicap 23.2\nposted: 200\nprocessed: true\nin an outage: 503\n",
      );
    }
  });
});

test("npx starts the stand-in of the installed package, which stops at SIGINT", async () => {
  const home = await installPackage("stand-in");
  const { bin } = JSON.parse(await readFile(join(home.installed, "package.json"), "utf8"));
  const options = ["--port", "0", "--control-port", "0", "--clubs", "2", "--members", "10"];
  // npm makes this file executable when it installs a package; the first line has Node run it.
  const file = join(home.installed, bin);
  expect(await readFile(file, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  const standIn = spawn(process.execPath, [file, ...options], { cwd: home.folder });
  const [line] = await once(createInterface(standIn.stdout), "line");
  expect(line).toMatch(/^The union is at http:\/\/127\.0\.0\.1:\d+$/);
  standIn.kill("SIGINT");
  expect(await once(standIn, "exit")).toEqual([0, null]);
  await home.remove();
});

test("whs-check of the installed package agrees with an independent program on 90,000 Handicap Indexes, and as many of each other rule", async () => {
  const home = await installPackage("whs");
  const { bin } = JSON.parse(await readFile(join(home.installed, "package.json"), "utf8"));
  const reference = resolve("test/packages/whs/reference-program.ts");
  const check = (...options: string[]) =>
    run(process.execPath, [join(home.installed, bin["whs-check"]), ...options, process.execPath, reference]);
  expect((await check()).stdout).toMatch(/^\d{3} agree, 0 differ, 0 were not answered\.\n$/);
  const seed = process.env.PROOF_SEED ?? "1";
  const { stdout } = await check("--draw", "90000", "--seed", seed);
  expect(stdout).toBe("630000 agree, 0 differ, 0 were not answered.\n");
  await home.remove();
});

test.skipIf(!hasChromium)(
  "the installed package whs calculates in a browser (none found: set CHROMIUM)",
  async () => {
    const home = await installPackage("whs");
    const contents = `import { courseHandicap } from "@scorecard-pipeline/whs";
    result = courseHandicap({ handicapIndex: 164000, slope: 124, rating: 698000, par: 72 }).working();`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: home.folder },
      bundle: true,
      platform: "browser",
      write: false,
    });
    const page = await (await sharedChromium()).newPage();
    const script = `let result; ${outputFiles[0]?.text}; result`;
    expect(await page.evaluate(script)).toBe("16.4 x 124 / 113 - 2.2 = 15.80, so 16");
    await page.close();
    await home.remove();
  },
);
