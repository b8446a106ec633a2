import { ungarbledPattern, unreachableExternalIds } from "../../core/formats/external-ids.ts";
import {
  exampleApiSet,
  exampleAttemptId,
  exampleClubId,
  exampleCourseId,
  exampleExternalId,
  exampleTournament,
  exampleWebhookId,
} from "../examples.ts";
import { type Operation, type Parameter, refusals } from "../operation.ts";
import { operations } from "../operations.ts";
import type { JsonSchema } from "../schema.ts";
import { documentedSchemas } from "./schemas.ts";
import { serversOf } from "./servers.ts";
import { documentedWebhooks } from "./webhook-requests.ts";

const segment = (description: string, example: string, schema: JsonSchema = {}) => ({
  description,
  schema: { type: "string", minLength: 1, pattern: ungarbledPattern, ...schema },
  example,
});

const pathParameters: Readonly<Record<string, Omit<Parameter, "name" | "in">>> = {
  apiset: {
    description: "The account's API set: its user name, unless the operator said otherwise.",
    schema: { type: "string" },
    example: exampleApiSet,
  },
  clubId: segment("ID of a club, in any case.", exampleClubId),
  courseId: segment("ID of a course version, or a TemplateID, in any case.", exampleCourseId),
  webhookId: segment("ID of a webhook endpoint.", exampleWebhookId),
  tournament: segment(
    "TournamentName, percent-encoded, or the tournament's ID; a tournament named `.` or `..` is reached by its ID only.",
    exampleTournament,
  ),
  attemptId: segment("ID of an attempt to post an event.", exampleAttemptId),
  externalId: segment("The card's ExternalID, percent-encoded.", exampleExternalId, {
    not: { enum: unreachableExternalIds },
  }),
};

const description = `
The national golf union's API for vendors, in its own paths and shapes, with what its Scorecard Exchange lacks: it checks
cards field by field, completes them, keeps them through any outage, delivers them, and reports their state.

- **Case.** Every fixed path segment works as written here and all in lower case (\`/{apiset}/clubs\`), parameter names and
  GUIDs in any case. Empty path segments are ignored.
- **Headers.** Send \`Authorization\`; \`Content-Type\`, \`Accept\` and \`Token\`, which the union requires with every request,
  are needed only if an operation names them.
- **Numbers.** Handicaps and ratings are whole numbers, the value times 10,000: 71.8 is 718000. Strings are accepted as well.
- **Times.** \`yyyymmddThhmmss\`, wall clock of the union's time zone; ActivationDate of a course is UTC.
- **Unknown fields** are kept and passed on; unknown query parameters are ignored.
- **Errors** are \`application/problem+json\` (RFC 9457). Success is 200, 201, 204, 207 or 304.
`.trim();

/**
 * The API as OpenAPI 3.1.
 *
 * @param server base address with the stage, without a slash at its end
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export function openApiDocument(server: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: described(operation) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Scorecards",
      version: "1",
      description,
      contact: { name: "The operator of this API, who gives out the accounts" },
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: serversOf(server),
    tags: [
      { name: "clubs", description: "The union's clubs, from the mirror." },
      { name: "courses", description: "Courses of a club with their tees and holes, from the mirror." },
      { name: "golfer", description: "A member, asked of the union." },
      { name: "golfer-by-token", description: "A member who gave consent, asked of the union." },
      { name: "open", description: "Needs no account." },
      { name: "operations", description: "For accounts of operators: all vendors together." },
      { name: "records", description: "A player's record, asked of the union." },
      { name: "scorecards", description: "Submission, state and withdrawal of scorecards." },
      { name: "webhooks", description: "Requests that your endpoint gets." },
    ],
    paths,
    webhooks: documentedWebhooks(),
    components: {
      schemas: documentedSchemas(),
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, response]) => [`Refusal${status}`, response]),
      ),
      securitySchemes: {
        vendorAccount: {
          type: "http",
          scheme: "basic",
          description:
            "User name and password of a vendor account. /login.aspx lists what the account may use.",
        },
        playerToken: {
          type: "apiKey",
          in: "header",
          name: "Token",
          description:
            "Access token of a player who gave consent, from the union's OAuth 2.0 Authorization Code Flow with PKCE, " +
            "e.g. of scope get_player.information.",
        },
      },
    },
  };
}

function described(operation: Operation) {
  const { method, path, resource, playerToken, everySpelling, responses, parameters, ...rest } = operation;
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    ...pathParameters[name],
  }));
  const lowerCase = path.replace(/(?<=\/)\w+(?=\/|$)/g, (segment) => segment.toLowerCase());
  const spelling =
    everySpelling && lowerCase !== path ? `Also \`${method.toUpperCase()} ${lowerCase}\`.` : "";
  return {
    ...rest,
    description: [rest.description, spelling].filter(Boolean).join("\n\n"),
    tags: [resource ?? "open"],
    parameters: [...inPath, ...(parameters ?? [])],
    security:
      resource === undefined ? [] : [{ vendorAccount: [], ...(playerToken === true && { playerToken: [] }) }],
    responses: { ...sharedRefusals(resource !== undefined), ...responses },
  };
}

/** @param toVendors whether an account is needed, whose credentials may be refused */
function sharedRefusals(toVendors: boolean): Record<string, unknown> {
  const possible = Object.keys(refusals).filter((status) => toVendors || !["401", "403"].includes(status));
  return Object.fromEntries(
    possible.map((status) => [status, { $ref: `#/components/responses/Refusal${status}` }]),
  );
}
