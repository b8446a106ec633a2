import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { selectNavigation } from "../../portal/base/session.ts";
import { en } from "../../portal/texts/en.ts";
import { en as tables } from "../../portal/texts/tables/en.ts";
import { en as tournaments } from "../../portal/texts/tournaments/en.ts";

/** What `npm run pictures` saw on each view when it took the picture. */
const views: Record<string, { navigation: string[]; headings: string[] }> = JSON.parse(
  readFileSync("docs/pictures/views.json", "utf8"),
);
const pictures = globSync("docs/pictures/*.png").map((file) => file.replace("docs/pictures/", ""));

test("every picture has a record of the view that it shows", () => {
  expect(Object.keys(views).toSorted()).toEqual(pictures.toSorted());
});

test.each(Object.keys(views))("%s shows the navigation of today: if not, run `npm run pictures`", (file) => {
  const [vendor] = demoVendors;
  const today = selectNavigation({ resources: [...(vendor?.resources ?? [])] }, false).map(
    ({ view }) => en.nav[view === "api" ? "developers" : view],
  );
  expect(views[file]?.navigation).toEqual(today);
});

test.each(Object.keys(views))("%s shows headings of today: if not, run `npm run pictures`", (file) => {
  const headings = views[file]?.headings ?? [];
  const texts = JSON.stringify([en, tables, tournaments]);
  expect(headings).not.toEqual([]);
  expect(headings.filter((heading) => !texts.includes(JSON.stringify(heading)))).toEqual([]);
});
