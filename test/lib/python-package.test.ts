import { hash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { packPythonClient } from "../../lib/python-package.ts";
import { unzipped } from "./unzipped.ts";

const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
const wheel = packPythonClient();
const files = unzipped(wheel.content);
const about = `scorecard_pipeline_client-${version}.dist-info`;

test("the wheel has every module of the client as it is, and says that it is typed", async () => {
  const sources = globSync("packages/client-python/src/**/*.py");
  expect(sources.length).toBeGreaterThan(5);
  for (const source of [...sources, "packages/client-python/src/scorecard_pipeline_client/py.typed"]) {
    const path = source.replace("packages/client-python/src/", "");
    expect(files[path], path).toEqual(await readFile(source));
  }
  const others = Object.keys(files).filter(
    (path) => !/^scorecard_pipeline_client\/(\w+\.py|py\.typed)$/.test(path),
  );
  expect(others).toEqual(
    ["licenses/LICENSE", "METADATA", "WHEEL", "RECORD"].map((name) => `${about}/${name}`),
  );
});

test("the wheel's record has the checksum and the size of every file but itself", () => {
  const record = Object.entries(files)
    .filter(([path]) => !path.endsWith("/RECORD"))
    .map(([path, content]) => `${path},sha256=${hash("sha256", content, "base64url")},${content.length}`);
  expect(files[`${about}/RECORD`]?.toString()).toBe([...record, `${about}/RECORD,,`, ""].join("\n"));
});

test("the wheel has the version of the project", () => {
  expect(wheel.file).toBe(`scorecard_pipeline_client-${version}-py3-none-any.whl`);
  const metadata = files[`${about}/METADATA`]?.toString();
  expect(metadata).toMatch(/^Metadata-Version: 2\.4\nName: scorecard-pipeline-client\n/);
  expect(metadata).toContain(`\nVersion: ${version}\n`);
  expect(metadata).toContain("\nRequires-Python: >=3.10\n");
});

test("the wheel is the same bytes each time, so that a deployment without a change changes nothing", () => {
  expect(packPythonClient()).toEqual(wheel);
});
