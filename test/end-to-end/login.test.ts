import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { exampleClubId, exampleCourseId, exampleTeeId } from "../../api/examples.ts";
import { operations } from "../../api/operations.ts";
import { minimalCard, playableTee } from "../../local/pipeline/minimal-card.ts";
import { providePipeline, sharedPipeline } from "./pipeline.ts";

const pipeline = await providePipeline(sharedPipeline);

const form = { "Content-Type": "application/x-www-form-urlencoded" };
const logIn = (username: string, password: string) =>
  pipeline.ask("POST", "login.aspx", new URLSearchParams({ username, password }).toString(), form);

/** Text of the examples in a page, as a browser would copy it. */
function examplesIn(page: string): string[] {
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return Array.from(page.matchAll(/<pre><code>(.*?)<\/code><\/pre>/gs), ([, text = ""]) =>
    text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? ""),
  );
}

describe("the login page", () => {
  test("is a form that anybody gets", async () => {
    const answer = await pipeline.ask("GET", "login.aspx");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.text).toContain('<form method="post"');
  });

  test.each(["GET", "POST"])("is kept by nobody, framed by nobody, and runs nothing (%s)", async (method) => {
    const answer = method === "GET" ? await pipeline.ask(method, "login.aspx") : await logIn("x", "y");
    const header = (name: string) => answer.headers.get(name);
    expect(header("cache-control")).toBe("no-store");
    expect(header("x-frame-options")).toBe("DENY");
    expect(header("x-content-type-options")).toBe("nosniff");
    expect(header("referrer-policy")).toBe("no-referrer");
    expect(header("strict-transport-security")).toMatch(/^max-age=\d{8,}/);
    expect(header("set-cookie")).toBeNull();
    expect(header("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(answer.text).not.toMatch(/<script|javascript:|\son\w+=|\sstyle=/i);
  });

  test("says that the user name or the password is wrong, the same whichever it is", async () => {
    const { username } = pipeline.vendor(0).account;
    const wrongPassword = await logIn(username, "wrong");
    const unknownUser = await logIn("nobody", "wrong");
    expect([wrongPassword.status, unknownUser.status]).toEqual([401, 401]);
    expect(wrongPassword.headers.get("www-authenticate")).toBeNull();
    expect(wrongPassword.text).toContain("The user name or the password is wrong.");
    expect(wrongPassword.text.replaceAll(username, "nobody")).toBe(unknownUser.text);
  });

  test.each([
    ["a user name that is no text", "username=%00%ff&password=x"],
    ["empty fields", "username=&password="],
    ["a user name longer than any", `username=${"u".repeat(1500)}&password=x`],
  ])("with %s comes back as for a wrong password", async (_what, body) => {
    expect((await pipeline.ask("POST", "login.aspx", body, form)).status).toBe(401);
  });

  test("takes no more than a user name and a password, and only from its form", async () => {
    expect((await logIn("greens-app", "x".repeat(4000))).status).toBe(413);
    for (const body of ["", "username=greens-app", "password=x", "user=greens-app&password=x"])
      expect((await pipeline.ask("POST", "login.aspx", body, form)).status).toBe(400);
    const json = { "Content-Type": "application/json" };
    expect((await pipeline.ask("POST", "login.aspx", "{}", json)).status).toBe(415);
  });

  test("does not run what was typed as a user name", async () => {
    const { text } = await logIn(`"><script>alert(1)</script>'&`, "x");
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;"');
  });
});

describe("the page of an account", () => {
  test("lists what the account may use and nothing else, with its limits", async () => {
    const { username, password } = pipeline.vendor(2).account;
    const { status, text } = await logIn(username, password);
    expect(status).toBe(200);
    const headings = Array.from(text.matchAll(/<h2[^>]*>([^<]*)/g), ([, heading]) => heading);
    expect(headings).toEqual(["Clubs", "Courses"]);
    expect(text).toMatch(/Not granted.*Scorecards/s);
    expect(text).toContain("1,000 scorecards and 5 MiB");
    expect(text).toMatch(
      /[\d,]+ a second, [\d,]+ at once of .*; [\d,]+ a day \(plan (tournament|standard)\)/,
    );
    expect(text).toContain(`${pipeline.machine.run.api}/${username}`);
    expect(text).not.toContain(password);
  });

  test("has an example of every request, and each works as it is pasted", async () => {
    const { account } = pipeline.vendor(0);
    const { text } = await logIn(account.username, account.password);
    expect(text).not.toContain("Not granted");
    const examples = examplesIn(text);
    expect(examples.length).toBe(32);
    let validated = "";
    for (const example of examples) {
      // Where a person is asked for the password, a test gives it.
      const command = example
        .replaceAll(`--user '${account.username}'`, `--user '${account.username}:${account.password}'`)
        .concat(" --silent --write-out '\\n%{http_code}'");
      const { stdout } = await promisify(execFile)("bash", ["-c", command]);
      const [, body = "", status] = /^(.*)\n(\d+)$/s.exec(stdout) ?? [];
      // What is to be put in by its reader is not there yet.
      const wanted = /Golfer|Memberships|\/example-1|\/wh_|Midsummer%20Cup'/.test(example)
        ? [400, 401, 403, 404]
        : [200, 201, 204];
      expect(wanted, `${example}\n${body}`).toContain(Number(status));
      if (example.includes("/Validate")) validated = body;
    }
    expect(validated).toContain('"accepted":true');
  });
});

describe("the API's own document", () => {
  test("is there for everybody, and names the address that was asked", async () => {
    const { status, body, headers } = await pipeline.ask("GET", "openapi.json");
    expect([status, body.openapi]).toEqual([200, "3.1.1"]);
    const [{ url, variables }] = body.servers;
    expect(url.replace("{stage}", variables.stage.default)).toBe(pipeline.machine.run.api);
    expect(headers.get("access-control-allow-origin")).toBe("*");
  });

  test("has examples that work, once they name a course and a day that there are", async () => {
    const { course, tee } = playableTee(pipeline.standIn);
    const yesterday = minimalCard(pipeline.standIn, { ExternalID: "x" }).Round.StartTime;
    const real = (text: string) =>
      text
        .replaceAll(exampleCourseId, course.ID)
        .replaceAll(exampleClubId, course.ClubID)
        .replaceAll(exampleTeeId, tee.ID ?? "")
        .replaceAll("20250622T145700", yesterday)
        .replaceAll("20250622T190200", yesterday);
    const vendor = pipeline.vendor(0);
    for (const { method, path, requestBody, parameters } of operations.filter(({ resource }) => resource)) {
      const below = real(path.replace("/{apiset}/", ""))
        .replace("{clubId}", course.ClubID)
        .replace("{courseId}", course.ID);
      for (const { value } of Object.values(requestBody?.content["application/json"]?.examples ?? {})) {
        const answer = await vendor.ask("POST", below, real(JSON.stringify(value)));
        expect([200, 201], answer.text).toContain(answer.status);
        expect(answer.body.accepted ?? true).toBe(true);
      }
      if (!below.includes("courses") || method !== "get") continue;
      for (const { name, in: place, example } of parameters ?? []) {
        if (place !== "query") continue;
        const { status } = await vendor.ask("GET", `${below}?${name}=${example}`);
        // Of one course, a parameter may leave nothing.
        expect(path.endsWith("{courseId}") ? [200, 404] : [200]).toContain(status);
      }
    }
  });
});
