import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FunctionName } from "../../lib/bundles.ts";
import type { BenchRow } from "../bench-row.ts";
import { firstAnswer } from "../cold-start/first-answer.ts";
import { type MeasuredFunction, measuredFunctions } from "../cold-start/functions.ts";
import { median } from "../median.ts";

const starts = 20;
const againstBare = "  against it";
/** How much longer a first answer may take than that of a handler with the same clients. */
const maxRatio = 1.35;

/** Kilobytes that a bundle may have. */
const maxKilobytes = (name: FunctionName) =>
  name === "authorize" ? 420 : name === "submit-scorecards" ? 520 : 450;

/** A request that every function behind the API answers by itself: 403, for an API set that is not the account's. */
const request = {
  httpMethod: "GET",
  resource: "/{apiset}/ScorecardExchange",
  path: "/other/ScorecardExchange",
  pathParameters: { apiset: "other" },
  headers: {},
  body: null,
  requestContext: {
    requestId: "first",
    path: "/test/other/ScorecardExchange",
    stage: "test",
    domainName: "localhost",
    authorizer: { apiSet: "measured", resources: "scorecards" },
  },
};

/** Something that each function answers without asking another service, so that only its own start is measured. */
const eventOf = (name: FunctionName): unknown =>
  name === "deliver-scorecards"
    ? { Records: [] }
    : name === "authorize"
      ? { methodArn: "arn:aws:execute-api:eu-north-1:1:api/test/GET/measured/Clubs", headers: {} }
      : name === "mirror-courses"
        ? { pass: "unknown" }
        : request;

/** Starting each function's bundle in a fresh process, against a handler that only creates the same clients. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "scorecard-cold-start-"));
  try {
    const rows: BenchRow[] = [];
    for (const measured of await measuredFunctions(folder)) rows.push(...(await startsOf(measured)));
    const ratios = rows.filter(({ name }) => name === againstBare).map(({ value }) => value);
    return [
      ...rows,
      { name: "first answers, median of the functions", value: median(ratios), unit: "x" },
      { name: "first answers, slowest function", value: Math.max(...ratios), unit: "x", bar: maxRatio },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function startsOf({ name, bundle, bare, environment }: MeasuredFunction): Promise<BenchRow[]> {
  const event = eventOf(name);
  const times = { own: [] as number[], bare: [] as number[] };
  for (let start = 0; start < starts; start++) {
    times.own.push(await firstAnswer({ bundle, environment, event }));
    times.bare.push(await firstAnswer({ bundle: bare, environment, event }));
  }
  const [own, least] = [median(times.own), median(times.bare)];
  return [
    {
      name: `${name}, its bundle`,
      value: statSync(bundle).size / 1000,
      unit: "KB",
      bar: maxKilobytes(name),
    },
    { name: "  first answer", value: own, unit: "ms" },
    { name: "  of a handler with the same clients", value: least, unit: "ms" },
    { name: againstBare, value: own / least, unit: "x", bar: maxRatio },
  ];
}
