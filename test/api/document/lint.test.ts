import { createConfig, lintFromString } from "@redocly/openapi-core";
import { test } from "vitest";
import { openApiDocument } from "../../../api/document/document.ts";

const text = JSON.stringify(openApiDocument("https://scorecards.example/test"));

test("Redocly's recommended rules find nothing in the OpenAPI document", async ({ expect }) => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: text, config, absoluteRef: "/openapi.json" });
  expect(problems.map(({ ruleId, message, location: [first] }) => [ruleId, message, first?.pointer])).toEqual(
    [],
  );
});
