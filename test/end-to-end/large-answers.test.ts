import { get, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { guidKey } from "../../core/formats/identifiers.ts";
import type { CourseVersion } from "../../core/golf/course.ts";
import { clubTable } from "../../core/register/club-table.ts";
import { courseTable } from "../../core/register/course-table.ts";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { club, recordOf, version } from "../core/register/union-in-memory.ts";
import { clientsOf } from "./local-clients.ts";
import { provideUnionOnCommand } from "./union-on-command.ts";

/** A list as large as that of 20,000 clubs: few clubs with much to say are written and read more quickly. */
const clubs = Array.from({ length: 500 }, (_, number) => {
  const courses = Array.from({ length: 500 }, (_, course) => `Course ${course} of ${number} by the sea.`);
  return { ...club(number), Description: courses.join(" ") };
});
const [first] = clubs;
/** A club's history: versions of a course, each with as many holes as make 700 KB. */
const history = Array.from({ length: 12 }, (_, number) => {
  const Holes = Array.from({ length: 14_000 }, (_, hole) => ({
    Number: hole + 1,
    Par: 3 + (hole % 3),
    Index: 1 + ((hole * 7 + number) % 18),
    Length: 100 + ((hole * number) % 400),
  }));
  const Tees = [{ Name: "Yellow", Gender: 2, Holes }] as unknown as CourseVersion["Tees"];
  return version(0, { ID: version(number).ID, Version: number + 1, Tees });
});

const {
  machine: { run },
} = await provideUnionOnCommand();
beforeAll(async () => {
  const { dynamodb } = clientsOf(run);
  // As if the mirror had found them.
  await Promise.all([
    clubTable(run.resource("ClubTable"), dynamodb).put(clubs.map(recordOf)),
    courseTable(run.resource("CourseTable"), dynamodb).put(
      guidKey(first?.ID ?? ""),
      history.map(recordOf),
      Date.now(),
    ),
  ]);
});

const [vendor] = demoVendors;

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Asks without what `fetch` does by itself: it accepts gzip, and decompresses. */
function ask(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const auth = `${vendor?.username}:${vendor?.password}`;
  const answered = async (response: IncomingMessage) => {
    resolve({ status: response.statusCode, headers: response.headers, body: await buffer(response) });
  };
  get(`${run.api}/${vendor?.apiSet}/${path}`, { auth, headers }, (response) => {
    answered(response).catch(reject);
  }).on("error", reject);
  return promise;
}

const gzip = { "Accept-Encoding": "gzip" };

test.each([
  [
    "a nation's clubs fit into one answer for a client that accepts gzip, and another is told to",
    "Clubs",
    clubs,
  ],
  [
    "a club's whole history fits into one answer for a client that accepts gzip, and another is told to",
    `Clubs/${first?.ID}/Courses?sort=Version:0`,
    history,
  ],
])("%s", async (_, path, all) => {
  const { status, headers, body } = await ask(path, gzip);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-encoding": "gzip",
    "content-type": "application/json; charset=utf-8",
  });
  const text = gunzipSync(body);
  expect(text.byteLength).toBeGreaterThan(6_200_000);
  expect(JSON.parse(text.toString())).toEqual(all);

  expect(await ask(path, { ...gzip, "If-None-Match": headers.etag ?? "" })).toMatchObject({
    status: 304,
    headers: { etag: headers.etag },
    body: Buffer.alloc(0),
  });

  const refused = await ask(path);
  expect(refused.status).toBe(413);
  expect(refused.headers["content-type"]).toBe("application/problem+json");
  expect(JSON.parse(refused.body.toString()).detail).toContain("Send `Accept-Encoding: gzip`");
});
