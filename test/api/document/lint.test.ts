import { createConfig, lintFromString } from "@redocly/openapi-core";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
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

test("Spectral's rules for OpenAPI find nothing in the OpenAPI document", async ({ expect }) => {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [oas as RulesetDefinition] });
  const problems = await spectral.run(JSON.parse(text));
  expect(problems.map(({ code, message, path }) => [code, message, path.join("/")])).toEqual([]);
});
