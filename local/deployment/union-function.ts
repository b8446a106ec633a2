import { demoAccounts, startStandIn } from "@scorecard-pipeline/stand-in";

/** A request to a function's own address, as Lambda hands it over. */
interface UrlEvent {
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly requestContext: { readonly http: { readonly method: string } };
}

// Any two environments, and the proof itself, have the same clubs, courses and members.
const now = () => new Date();
const starting = startStandIn({ port: 0, seed: 1, clubs: 10, accounts: demoAccounts, now });

/** Answers as the union of `npm run deploy:prove`; with the variable OUTAGE as one that is down. */
export async function handler({ rawPath, rawQueryString, headers, body, requestContext }: UrlEvent) {
  const { address, faults } = await starting;
  faults.outage = process.env.OUTAGE === "true";
  const { authorization = "", token = "", "content-type": type = "application/json" } = headers;
  const response = await fetch(`${address}${rawPath}?${rawQueryString}`, {
    method: requestContext.http.method,
    headers: { authorization, token, "content-type": type, accept: "application/json" },
    ...(body !== undefined && { body }),
  });
  return { statusCode: response.status, body: await response.text() };
}
