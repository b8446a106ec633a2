import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@scorecard-pipeline/scorecards-client";
import { describe, expect, test } from "vitest";
import { pythonTypesFile } from "../../../bin/generate-client-types.ts";
import { pythonTypesOfApi } from "../../../bin/python-types.ts";
import { hasMypy, hasPython, python } from "../python.ts";

const run = promisify(execFile);
const folder = "packages/client-python";
// Nothing that Python compiles stays in the repository.
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PYTHONPATH: "src" };

test("the types of the Python client are those of the OpenAPI document: else run `npm run client:types`", async () => {
  expect(await readFile(pythonTypesFile, "utf8")).toBe(pythonTypesOfApi());
});

test("the Python client has every method of the client for TypeScript", async () => {
  const client = createClient({ api: "https://host/test", username: "greens", password: "secret" });
  const methods = Object.keys(client).filter((name) => name !== "apiSet");
  expect(methods.length).toBeGreaterThan(30);
  const sources = await Promise.all(
    ["client.py", "webhook_endpoints.py"].map((file) =>
      readFile(join(dirname(pythonTypesFile), file), "utf8"),
    ),
  );
  const defined = new Set(Array.from(sources.join("").matchAll(/^ {4}def (\w+)\(/gm), ([, name]) => name));
  const missing = methods.filter(
    (name) => !defined.has(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  );
  expect(missing).toEqual([]);
});

test("the Python client depends on nothing", async () => {
  expect(await readFile(join(folder, "pyproject.toml"), "utf8")).toContain("\ndependencies = []\n");
});

describe.skipIf(!hasPython)("with Python (no Python 3.10 or later found: install it or set PYTHON)", () => {
  test("the Python client passes its own tests, with each warning an error", async () => {
    const options = ["-W", "error", "-m", "unittest", "discover", "-t", ".", "-s", "tests"];
    const { stderr } = await run(python, options, { cwd: folder, env });
    const [, count] = /^Ran (\d+) tests in /m.exec(stderr) ?? [];
    expect(Number(count)).toBeGreaterThan(60);
    expect(stderr).toMatch(/^OK$/m);
  });

  test("the Python client imports nothing but the standard library", async () => {
    const script = `
import sys
before = set(sys.modules)
import scorecard_pipeline_client
new = {name.split(".")[0] for name in set(sys.modules) - before}
print(sorted(new - set(sys.stdlib_module_names)))`;
    const { stdout } = await run(python, ["-I", "-S", "-c", `import sys\nsys.path.append("src")${script}`], {
      cwd: folder,
      env,
    });
    expect(stdout).toBe("['scorecard_pipeline_client']\n");
  });
});

describe.skipIf(!hasMypy)(
  "with mypy (none found: pip install mypy for the Python of the variable PYTHON)",
  () => {
    const check = (...files: readonly string[]) =>
      run(
        python,
        ["-m", "mypy", "--strict", "--python-version", "3.10", "--cache-dir", "/dev/null", ...files],
        {
          cwd: folder,
          env: { ...env, MYPYPATH: "src" },
        },
      ).then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      );

    test("mypy finds nothing in the Python client in its strict mode", async () => {
      expect(await check("src")).toMatch(/^Success: no issues found/);
    });

    test("mypy tells a vendor of a misspelt field, a missing one, and a card that was refused", async () => {
      const scratch = await mkdtemp(join(tmpdir(), "typed-"));
      const file = join(scratch, "vendor.py");
      const lines = [
        "from scorecard_pipeline_client import Client, RefusedEntry, Scorecard",
        "client = Client('https://host/test', 'a', 'b')",
        "marker: Scorecard = {'Markerr': {}}",
        "for entry in client.submit([marker]):",
        "    if entry['status'] == 201:",
        "        print(entry['card']['Result']['TotalPoints'] + 1)",
        "        print(entry['errors'])",
        "    else:",
        "        print(entry['errors'][0]['detail'].upper())",
        "        print(entry['card'])",
      ];
      await writeFile(file, `${lines.join("\n")}\n`);
      const faulty = Array.from((await check(file)).matchAll(/vendor\.py:(\d+): error/g), ([, line]) =>
        Number(line),
      );
      expect([...new Set(faulty)]).toEqual([3, 7, 10]);
      await rm(scratch, { recursive: true });
    });
  },
);
