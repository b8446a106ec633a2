/**
 * Which folder may import which, types included; `test/lint/imports.test.ts` keeps it.
 *
 * A folder also imports what is below it. What a room may import, its folders may, too. `room/*` is each folder of a room, `type …` is for
 * types only. An import that no row allows needs a row, or its file is in the wrong folder.
 */
export const importTable: Readonly<Record<string, readonly string[]>> = {
  "core/formats": [],
  "core/aws": ["core/formats"],
  "core/accounts": ["core/aws", "core/formats"],
  // The rules of golf are a package, which stands by itself.
  "core/golf": ["packages/whs", "core/formats", "type core/accounts/account.ts"],
  "core/union": ["core/accounts", "core/formats"],
  "core/register": ["core/golf", "core/union", "core/aws", "core/formats"],
  "core/cards": [
    "type api",
    "core/register",
    "core/union",
    "core/golf",
    "core/accounts",
    "core/aws",
    "core/formats",
  ],
  "core/cards/life": [],
  "core/cards/delivery": ["core/cards/life"],
  "core/views": ["type api", "core/cards", "core/golf", "core/accounts", "core/aws", "core/formats"],
  "core/players": [
    "core/views",
    "core/cards",
    "core/register",
    "core/union",
    "core/golf",
    "core/accounts",
    "core/aws",
    "core/formats",
  ],
  "core/records": [
    "core/views",
    "core/cards",
    "core/union",
    "core/golf",
    "core/accounts",
    "core/aws",
    "core/formats",
  ],
  "core/webhooks": [
    "type api",
    "core/views",
    "core/cards",
    "core/union",
    "core/golf",
    "core/accounts",
    "core/aws",
    "core/formats",
  ],
  "core/operations": [
    "type api",
    "core/views",
    "core/cards",
    "core/register",
    "core/accounts",
    "core/aws",
    "core/formats",
  ],
  // The smoke test is a vendor.
  "core/smoke-test": ["core/cards", "core/golf", "core/formats", "type packages/client"],

  // The operations of the API by subject. Of core they take what has no schema here: codes, patterns, limits and names.
  api: [
    "unions",
    "core/formats",
    "core/golf",
    "core/union",
    "core/register/course-query.ts",
    "core/cards/life",
    "core/accounts/account.ts",
    "core/cards/read-submission.ts",
    "core/views/activity-counts.ts",
    "core/webhooks/endpoint.ts",
    "core/webhooks/own-headers.ts",
    "core/webhooks/queue-address.ts",
  ],
  "api/document": ["api"],

  functions: ["api", "core", "unions"],
  "functions/runtime": [],
  "functions/http": ["functions/runtime"],
  "functions/*": ["functions/http", "functions/runtime"],

  // Stacks name functions by folder (lib/bundles.ts). They share the table of routes, the names of metrics, and figures of core.
  lib: [
    "unions",
    "api",
    "type functions/runtime/metrics.ts",
    "core/cards/life/states.ts",
    "core/cards/delivery/timing.ts",
    "core/cards/read-submission.ts",
    "core/operations/service-objective.ts",
    "core/webhooks/queue-address.ts",
  ],
  "lib/releases": ["lib"],

  unions: [],
  "unions/conformance": ["unions", "core", "packages"],

  // It runs in browsers and knows only the API, and by card-files what the command does with tables.
  portal: ["packages/card-files", "packages/client"],
  // The union's own words for terms of golf.
  "portal/texts": ["unions"],
  "portal/base": ["portal/texts"],
  "portal/components": ["portal/base", "portal/texts"],
  "portal/tables": ["portal/base", "portal/texts"],
  "portal/views": ["portal/components", "portal/tables", "portal/base", "portal/texts"],

  command: ["api", "core", "lib", "local/pipeline/run-file.ts", "local/progress-display.ts", "packages"],
  "command/base": [],
  "command/follow": ["command/submit"],
  "command/backup": ["command/person"],
  "command/reconcile": ["command/submit"],
  "command/watch": ["command/submit"],
  "command/*": ["command/base"],

  // A package is published alone, and imported by its name.
  "packages/client": [],
  "packages/card-files": ["packages/client"],
  "packages/card-files/base": [],
  "packages/card-files/words": ["packages/card-files/base"],
  "packages/card-files/reading": ["packages/card-files/words", "packages/card-files/base"],
  "packages/whs": [],
  "packages/whs/check": ["packages/whs"],
  "packages/stand-in": ["packages/whs"],
  "packages/stand-in/handicap": [],
  "packages/stand-in/base": ["packages/stand-in/handicap"],
  "packages/stand-in/register": ["packages/stand-in/base", "packages/stand-in/handicap"],
  "packages/stand-in/exchange": ["packages/stand-in/base"],
  "packages/stand-in/processing": [
    "packages/stand-in/exchange",
    "packages/stand-in/register",
    "packages/stand-in/base",
    "packages/stand-in/handicap",
  ],
  "packages/stand-in/endpoints": [
    "packages/stand-in/processing",
    "packages/stand-in/exchange",
    "packages/stand-in/register",
    "packages/stand-in/base",
  ],
  "packages/stand-in/control": [
    "packages/stand-in/endpoints",
    "packages/stand-in/processing",
    "packages/stand-in/exchange",
  ],
  "packages/local-aws": [],
  "packages/local-aws/template": [],
  "packages/local-aws/base": ["packages/local-aws/template"],
  "packages/local-aws/functions": ["packages/local-aws/base"],
  "packages/local-aws/*": [
    "packages/local-aws/functions",
    "packages/local-aws/base",
    "packages/local-aws/template",
  ],

  local: ["api", "core", "lib", "packages", "unions", "local/progress-display.ts"],
  "local/sample": [],
  "local/pipeline": ["local/sample"],
  "local/releases": [],
  "local/deployment": ["local/pipeline", "local/releases"],
  bin: ["api", "command", "core", "functions", "lib", "local", "packages", "portal", "unions"],
  bench: ["api", "core", "functions", "lib", "local", "packages", "unions", "bench"],
  docs: ["type core/golf/findings.ts", "functions/http/page", "lib/notices.ts", "packages"],
};
