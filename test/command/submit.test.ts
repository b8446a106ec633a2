import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { receivedCards, sharedPipelineWithNewVendors, type Vendor } from "../end-to-end/pipeline.ts";
import { fakeApi } from "../packages/client/fake-api.ts";
import { provideCommand } from "./run-command.ts";

const { pipeline, command, card } = await provideCommand(sharedPipelineWithNewVendors);

const badCard = (externalId: string) =>
  card(externalId, { Result: { Strokes: [4, 5], IsQualifying: true }, HCP: "158000" });
const cards = (name: string, count: number) => Array.from({ length: count }, (_, n) => card(`${name}-${n}`));

async function fileOf(name: string, text: string): Promise<string> {
  const path = join(command.folder, name);
  await writeFile(path, text);
  return path;
}
const lines = (all: readonly unknown[]) => all.map((one) => `${JSON.stringify(one)}\n`).join("");
const summary = async (file: string, ...options: string[]) => {
  const { code, json } = await command.run(["submit", file, "--json", ...options]);
  return { code, ...json.at(-1) };
};
const vendorStates = (externalIds: readonly string[]) => pipeline.vendor(0).states(externalIds);
const posts = (externalId: string) => receivedCards(pipeline, pipeline.vendor(0), externalId);
const credentialsOf = ({ account }: Vendor) => ({
  SCORECARDS_USERNAME: account.username,
  SCORECARDS_PASSWORD: account.password,
});

describe("submit", () => {
  test("of a table the wrong rows are listed with their columns, and the others are delivered", async () => {
    const { Course, Player, Marker, Result } = card("any");
    const holes = Result.Strokes.map((_, hole) => `Hole ${hole + 1}`);
    // Other files that share the run have the player play these strokes now or a day ago, which is seen.
    const start = `${new Date(Date.now() - 26 * 86_400_000).toISOString().slice(0, 10)} 10:00`;
    const row = (name: string, member = Player.UnionID) =>
      [name, "15,8", "16", start, member, Course.TeeID, Marker.UnionID, ...Result.Strokes].join(";");
    const text = [
      ["card", "index", "course handicap", "start", "member", "tee id", "marker", ...holes].join(";"),
      row("row 1"),
      row("row 2", "nobody"),
      row("row 3"),
    ];
    const file = await fileOf("table.csv", text.join("\r\n"));

    const preview = await command.run(["submit", file, "--preview"]);
    expect([preview.code, preview.stderr]).toEqual([
      1,
      expect.stringContaining("100% of the file: 2 would be accepted, 1 refused"),
    ]);
    expect(preview.stdout).toMatch(/^Refused: row 3, "row 2"\n {2}union_id_invalid in column "member" — /m);
    const codes = Array.from(preview.stdout.matchAll(/^ {2}(\w+) (?:at|in)/gm), ([, code]) => code);
    // The union's handicap is told of a player whom no file before has had looked up.
    expect(codes.filter((code) => code !== "handicap_differs")).toEqual([
      "course_handicap_differs",
      "union_id_invalid",
      "course_handicap_differs",
      "round_seen",
    ]);
    expect(preview.stdout).toMatch(
      /^3 cards: 2 would be accepted, 1 refused\. \d warnings\. Nothing is submitted\.$/m,
    );
    expect(await vendorStates(["row 1"])).toEqual(["unknown"]);

    const { code, json } = await command.run(["submit", file, "--json"]);
    expect(code).toBe(1);
    expect(json.filter(({ warnings }) => !Array.isArray(warnings))).toMatchObject([
      { card: 3, externalId: "row 2", errors: [{ column: "member" }] },
      { accepted: 2, refused: 1, finished: true },
    ]);
    await expect.poll(() => vendorStates(["row 1", "row 3"])).toEqual(["delivered", "delivered"]);
    await fileOf("table.csv", text.map((line) => line.replace("nobody", Player.UnionID)).join("\r\n"));
    expect(await summary(file)).toMatchObject({ code: 0, accepted: 1, acceptedBefore: 2 });
  });

  test("a table is understood by all commands that take a file, by the same options", async () => {
    const { Course, CourseHandicap, HCP, Player, Marker, Result, Round } = card("any");
    const day = Round.StartTime.replace(/^(....)(..)(..).*/, "$1-$2-$3");
    const heading = ["Player", "Member No", "Handicap Index", "Course Handicap", "Date", "Tee ID"];
    const cells = ["A", Player.UnionID, Number(HCP) / 10_000, CourseHandicap, day, Course.TeeID];
    const table = [
      [...heading, ...Result.Strokes.map((_, hole) => hole + 1)],
      [...cells, "-", ...Result.Strokes.slice(1)],
    ];
    const file = await fileOf("club.csv", table.map((row) => row.join(";")).join("\r\n"));
    const marker = ["--marker", Marker.UnionID];
    const asked = await command.run(["watch", "--file", file, ...marker]);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("Answer by --unset")]);
    const options = [...marker, "--unset", "picked-up"];
    expect(await summary(file, ...options, "--uncounted")).toMatchObject({ code: 0, accepted: 1 });
    const watched = await command.run(["watch", "--file", file, ...options]);
    expect([watched.code, watched.stdout.split("\n").at(-2)]).toEqual([0, "1 delivered."]);
    const compared = await command.run(["reconcile", file, ...options]);
    expect([compared.code, compared.stdout]).toEqual([0, "1 card in the file: the same 1 (1 delivered).\n"]);
  });

  test("every card of a JSON array is accepted and delivered, without any configuration", async () => {
    const file = await fileOf("array.json", JSON.stringify(cards("array", 120), null, 2));
    const { code, stdout, stderr } = await command.start(["submit", file]).ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining("120 cards: 120 accepted, 0 refused.")]);
    expect(stderr).toContain("100% of the file: 120 accepted");
    const watched = await command.run(["watch", "--file", file]);
    expect([watched.code, watched.stdout.split("\n").at(-2)]).toEqual([0, "120 delivered."]);
  });

  test("of a file with one card a line the bad cards are listed with their faults, and the others are accepted", async () => {
    const text = `${lines([card("line-good")])}\n{"ExternalID": "cut\n${lines([badCard("line-bad"), card("line-good")])}[]\n`;
    const { code, json } = await command.run(["submit", await fileOf("lines.ndjson", text), "--json"]);
    expect(code).toBe(1);
    const refused = json.slice(0, -1).sort((one, other) => one.card - other.card);
    expect(refused).toMatchObject([
      { card: 2, errors: [{ code: "not_json" }] },
      {
        card: 3,
        externalId: "line-bad",
        errors: expect.arrayContaining([
          expect.objectContaining({ code: "strokes_count", pointer: "/Result/Strokes" }),
        ]) as unknown,
      },
      { card: 4, externalId: "line-good", errors: [{ code: "duplicate_external_id" }] },
      { card: 5, errors: [{ code: expect.any(String) }] },
    ]);
    expect(json.at(-1)).toEqual({
      accepted: 1,
      acceptedBefore: 0,
      held: 0,
      refused: 4,
      warnings: expect.any(Number),
      finished: true,
    });
  });

  test("after a file has changed, only the changed cards are sent, as corrections", async () => {
    const file = await fileOf("changed.json", JSON.stringify([card("changed-1"), badCard("changed-2")]));
    expect(await summary(file)).toMatchObject({ code: 1, accepted: 1, refused: 1 });
    await expect.poll(() => posts("changed-1").length).toBe(1);
    await fileOf("changed.json", JSON.stringify([card("changed-1"), card("changed-2")]));
    expect(await summary(file)).toMatchObject({ code: 0, accepted: 1, acceptedBefore: 1, refused: 0 });
    await fileOf("changed.json", JSON.stringify([card("changed-1", { Comment: "new" }), card("changed-2")]));
    expect(await summary(file)).toMatchObject({ code: 0, accepted: 1, acceptedBefore: 1 });
    await expect.poll(() => posts("changed-1").length).toBe(2);
    await fileOf("changed.json", JSON.stringify([card("changed-1"), card("changed-2")]));
    expect(await summary(file)).toMatchObject({ code: 0, accepted: 1, acceptedBefore: 1 });
    expect(await summary(file, "--again")).toMatchObject({ code: 0, accepted: 2, acceptedBefore: 0 });
    await expect
      .poll(() => posts("changed-1").map(({ Comment }) => Comment))
      .toEqual([undefined, "new", undefined]);
  });

  test("of a file that is cut off the complete cards are submitted, and the run is reported as unfinished", async () => {
    const text = JSON.stringify([card("cut-1"), card("cut-2")]).slice(0, -20);
    const { code, stdout, stderr } = await command.run(["submit", await fileOf("cut.json", text)]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("1 card: 1 accepted, 0 refused.")]);
    expect(stderr).toMatch(/is not valid JSON after card 1\. Correct the file and submit it again\.\n$/);
  });

  test("after an unreachable address a retry is advised, after a wrong one it is not", async () => {
    const file = await fileOf("nobody.json", JSON.stringify([card("nobody")]));
    const credentials = credentialsOf(pipeline.vendor(0));
    const submitTo = (api: string) =>
      command.run(["submit", file, "--api", api, "--patience", "1"], credentials);
    const nobody = await submitTo("http://127.0.0.1:3/test");
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining("ECONNREFUSED 127.0.0.1:3")]);
    expect(nobody.stderr).toContain("Run the same command again to submit the remaining cards.");
    const wrong = await submitTo(`${pipeline.machine.run.api}/${pipeline.vendor(0).account.apiSet}`);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("HTTP 404")]);
    expect(wrong.stderr).not.toContain("Run the same command again");
  });

  test.each([
    [{}, "Region is missing"],
    [{ AWS_REGION: "eu-north-1", AWS_EC2_METADATA_DISABLED: "true" }, "credentials"],
    [
      { AWS_REGION: "eu-north-1", AWS_PROFILE: "nobodys", AWS_EC2_METADATA_DISABLED: "true" },
      "AWS_PROFILE is nobodys: is there such a profile",
    ],
  ])(
    "submit to a deployed stage with %j in the environment says what is missing",
    async (environment, said) => {
      const file = await fileOf("stage.json", JSON.stringify([card("stage")]));
      const { code, stderr } = await command.start(["submit", file, "--stage", "test"], environment).ended;
      expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
      expect(stderr).toContain("Set AWS_REGION, and AWS_PROFILE or AWS_ACCESS_KEY_ID and so on");
    },
  );

  test("a file that is neither cards nor a table is refused", async () => {
    const { code, stderr } = await command.run(["submit", await fileOf("text.txt", "ExternalID;HCP\n1;2\n")]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("neither a JSON array")]);
  });

  test("a missing file or a wrong password ends with an error and exit code 2", async () => {
    const missing = await command.run(["submit", join(command.folder, "missing.json")]);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      `error: There is no file ${join(command.folder, "missing.json")}. Check its path.\n`,
    ]);
    const folder = await command.run(["submit", command.folder]);
    expect([folder.code, folder.stderr]).toEqual([2, expect.stringContaining("is a folder. Name a file")]);
    const file = await fileOf("wrong.json", JSON.stringify([card("wrong")]));
    const wrong = await command.run(["submit", file], { SCORECARDS_PASSWORD: "not-the-one" });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("HTTP 401")]);
    expect(wrong.stdout + wrong.stderr).not.toContain("not-the-one");
  });
});

describe("status", () => {
  test("status of an API that is not there gives up after a few attempts", async () => {
    await using fake = await fakeApi({ judge: () => "accepted", before: Array(100).fill("lost") });
    const credentials = credentialsOf(pipeline.vendor(0));
    const { code, stderr } = await command.run(["status", "one", "--api", fake.address], credentials);
    expect([code, stderr]).toEqual([2, expect.stringContaining("No response from")]);
    expect(fake.requests.length).toBeLessThan(7);
  });

  test("a command whose output nobody reads any more ends without a word", async () => {
    const { child, ended } = command.start(["status", "one", "two"]);
    child.stdout?.destroy();
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([2, ""]);
  });

  test("status shows the state of each card, as a table or as JSON", async () => {
    await pipeline.vendor(0).submit([card("a/b 1")]);
    await expect.poll(() => pipeline.vendor(0).states(["a/b 1"])).toEqual(["delivered"]);
    const table = await command.run(["status", "a/b 1"]);
    expect([table.code, table.stdout]).toEqual([0, expect.stringMatching(/a\/b 1 .* delivered /)]);
    const { code, json } = await command.run(["status", "--json", "a/b 1", "never-sent"]);
    expect([code, json[0]]).toMatchObject([
      1,
      [
        { externalId: "a/b 1", state: "delivered", attempts: expect.any(Number) },
        { externalId: "never-sent", state: "unknown" },
      ],
    ]);
  });

  test("the cards of another vendor are only shown to that vendor's account", async () => {
    await pipeline.vendor(1).submit([card("of-the-other")]);
    expect((await command.run(["status", "of-the-other"])).code).toBe(1);
    const { username } = pipeline.vendor(1).account;
    expect((await command.run(["status", "of-the-other", "--username", username])).code).toBe(0);
    const { api } = pipeline.machine.run;
    const credentials = credentialsOf(pipeline.vendor(1));
    expect((await command.run(["status", "of-the-other", "--api", api], credentials)).code).toBe(0);
    const without = await command.run(["status", "of-the-other", "--api", api]);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("SCORECARDS_PASSWORD")]);
  });
});
