import type { FastifyInstance, FastifyReply } from "fastify";
import { type StandInAccount, type StandInResource, standInResources } from "../base/account.ts";
import { escaped, page } from "../base/html.ts";
import type { Faults } from "../exchange/faults.ts";
import { RefusalError } from "./refusal.ts";

/** The accounts and faults of the union, and the paths that its page names. */
interface LoginDependencies {
  readonly accounts: readonly StandInAccount[];
  readonly faults: Faults;
  /** Path of the exchange below the API set. */
  readonly path: string;
  readonly recordsApiSet: string;
}

const describeAccount = ({
  path,
  recordsApiSet,
}: LoginDependencies): Readonly<Record<StandInResource, readonly [requests: string, what: string]>> => ({
  clubs: ["GET Clubs, GET Clubs/{club_id}", "Clubs of the union"],
  courses: [
    "GET clubs/{club_id}/courses, GET clubs/{club_id}/courses/{course_id}",
    "Courses with tees and holes",
  ],
  golfer: ["GET Clubs/Golfer", "A member by lifetimeID or unionID"],
  "golfer-by-token": ["GET clubs/Golfer_ByAccessToken", "The member who has consented"],
  scorecards: [`POST ${path}`, "The Scorecard Exchange"],
  records: [`GET /${recordsApiSet}/clubs/{club_id}/Memberships/Scorecards`, "A member's rounds"],
});

function form(failed: boolean): string {
  const failure = failed ? '<p role="alert">That is no account\'s username and password.</p>' : "";
  return page(
    "API account",
    `${failure}<form method="post" action="/login.aspx">
<label for="username">Username</label>
<input id="username" name="username" autocomplete="username" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Log in</button>
</form>`,
  );
}

function description(
  { username, apiSet, resources = standInResources }: StandInAccount,
  dependencies: LoginDependencies,
): string {
  const descriptions = describeAccount(dependencies);
  const rows = resources.map((resource) => {
    const [requests, what] = descriptions[resource];
    return `<tr><td>${escaped(what)}</td><td>${escaped(requests)}</td></tr>`;
  });
  return page(
    `APIs available to ${username}`,
    `<p>API Set: <strong>${escaped(apiSet)}</strong>, the first segment of every path.</p>
<table>
<thead><tr><th>API</th><th>Requests</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`,
  );
}

/** Endpoint 8: the login form, and the page of an account's resources. @see union-api, Endpoints */
export function loginPage(app: FastifyInstance, dependencies: LoginDependencies): void {
  const { accounts, faults } = dependencies;
  const show = (reply: FastifyReply, html: string) => {
    if (faults.outage) throw new RefusalError(503, "The service is unavailable.");
    return reply.type("text/html; charset=utf-8").header("Cache-Control", "no-store").send(html);
  };
  app.get("/login.aspx", (_request, reply) => show(reply, form(false)));
  app.post<{ Body: string | undefined }>("/login.aspx", (request, reply) => {
    const sent = new URLSearchParams(request.body ?? "");
    const account = accounts.find(
      ({ username, password }) => username === sent.get("username") && password === sent.get("password"),
    );
    return account === undefined
      ? show(reply.code(401), form(true))
      : show(reply, description(account, dependencies));
  });
}
