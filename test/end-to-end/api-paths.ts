import { readFileSync } from "node:fs";
import { join } from "node:path";
import { apiOperations } from "../api-operations.ts";

/** A path of the deployed API, such as /{apiset}/Clubs/{clubId}, and the methods that it has. */
export interface ApiPath {
  readonly path: string;
  readonly methods: ReadonlySet<string>;
}

/** Every path of the test stage's template, read from the body that API Gateway is given. */
export function apiPaths(assembly: string): ApiPath[] {
  const template = readFileSync(join(assembly, "scorecard-pipeline-test.template.json"), "utf8");
  const byPath = Map.groupBy(apiOperations(JSON.parse(template)), ({ path }) => path);
  return [...byPath].map(([path, ofPath]) => ({
    path,
    methods: new Set(ofPath.map(({ method }) => method)),
  }));
}
