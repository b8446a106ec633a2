import * as z from "zod/mini";
import { findGrant, findOperation, type OperationId, routes } from "../../api/routes.ts";
import {
  type AccountClub,
  type ApiSet,
  accountClubSchema,
  apiSetSchema,
  isSameName,
} from "../../core/accounts/account.ts";
import { isGarbled } from "../../core/formats/external-ids.ts";
import { isOwnPost } from "../../core/webhooks/own-headers.ts";
import { ProblemError, problem } from "./problem.ts";
import { bodyText, contentFields, headerFinder } from "./request.ts";

/** A vendor's request that the authorizer has accepted. */
export interface VendorRequest {
  /** API Gateway's, which the vendor sees as x-amzn-RequestId. */
  readonly requestId: string;
  /** The tenant that the credentials belong to. */
  readonly apiSet: ApiSet;
  /** The club that the account is bound to: the answer tells of no other's cards and members. */
  readonly club?: AccountClub | undefined;
  /** The account's usage plan. */
  readonly plan?: string | undefined;
  /** What is requested, whatever the spelling of its path. */
  readonly operation: OperationId;
  /** Path parameters, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Query parameters in the order sent, names in lower case: the union's server ignores case. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** A header by its name in lower case; the last one if it was sent twice. */
  readonly header: (name: string) => string | undefined;
  /** Text of the body; empty if there is none. */
  readonly body: string;
  /** The host that was asked, and API Gateway's ID of the API. */
  readonly api: { readonly domainName?: string | undefined; readonly apiId?: string | undefined };
}

const eventSchema = z.object({
  httpMethod: z.string(),
  resource: z.string(),
  pathParameters: z.nullish(z.record(z.string(), z.optional(z.string()))),
  multiValueQueryStringParameters: z.nullish(z.record(z.string(), z.optional(z.array(z.string())))),
  ...contentFields,
  requestContext: z.object({
    requestId: z.string(),
    domainName: z.optional(z.string()),
    apiId: z.optional(z.string()),
    authorizer: z.object({
      apiSet: apiSetSchema,
      /** Resources that the account may use, separated by commas. */
      resources: z.string(),
      club: z.optional(accountClubSchema),
      plan: z.optional(z.string()),
    }),
  }),
});

const forbidden = (detail: string) => new ProblemError(problem(403, "Forbidden", detail));
const noSuchPath =
  "There is nothing at this path for this method. openapi.json lists every path with its methods.";

/**
 * Reads a request that API Gateway passes on.
 *
 * @throws ProblemError 400, 403 if the account may not use what is requested, or 404
 */
export function readVendorRequest(event: unknown): VendorRequest {
  const { httpMethod, resource, pathParameters, headers, requestContext, ...rest } = eventSchema.parse(event);
  const { requestId, authorizer, domainName, apiId } = requestContext;
  const { apiSet, resources, club, plan } = authorizer;
  const isVendors = resource.startsWith("/{apiset}");
  const path = decoded(pathParameters ?? {});
  if (isVendors && !isSameName(path.apiset ?? "", apiSet)) {
    throw forbidden("These credentials are not for this API set.");
  }
  const operation = findOperation(httpMethod, resource);
  if (operation === undefined) throw new ProblemError(problem(404, "No such path", noSuchPath));
  // A spelling of a path could bypass the account's policy, which names paths.
  if (findGrant(routes[operation], resources.split(",")) === undefined)
    throw forbidden("This account may not use this resource.");
  if (club !== undefined && !("forClub" in routes[operation])) {
    throw forbidden(
      "This account is bound to a club, and this shows or changes what all clubs of the API set have.",
    );
  }
  const header = headerFinder(headers);
  // An endpoint that is this API would have each event make another one.
  if (httpMethod !== "GET" && isOwnPost(header))
    throw forbidden("Events of webhooks cannot be posted to the API itself.");
  const query = new Map<string, string[]>();
  for (const [name, values] of Object.entries(rest.multiValueQueryStringParameters ?? {})) {
    const known = query.get(name.toLowerCase());
    if (known === undefined) query.set(name.toLowerCase(), values ?? []);
    else for (const value of values ?? []) known.push(value);
  }
  return {
    requestId,
    apiSet,
    club,
    plan,
    operation,
    path,
    query,
    header,
    body: bodyText(rest),
    api: { domainName, apiId },
  };
}

/** Decodes path parameters, which API Gateway passes on as they were sent. */
function decoded(parameters: Record<string, string | undefined>): Record<string, string> {
  try {
    const texts = Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value ?? "")]);
    // If the client itself lost characters that were not UTF-8, the path may name another card.
    if (!texts.flat().some(isGarbled)) return Object.fromEntries(texts);
  } catch {
    // Percent signs that do not encode UTF-8.
  }
  throw new ProblemError(problem(400, "Path cannot be read", "The path is not percent-encoded UTF-8."));
}
