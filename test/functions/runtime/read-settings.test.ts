import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { jsonOf, readSettings } from "../../../functions/runtime/read-settings.ts";

afterEach(() => vi.unstubAllEnvs());

test("a function reads its environment variables by name, with numbers and JSON as what they are", () => {
  vi.stubEnv("COURSE_TABLE", "courses");
  vi.stubEnv("POST_SIZE", "50");
  vi.stubEnv("USAGE_PLANS", '{"small":{"requests":10}}');
  const plan = z.object({ requests: z.number() });
  const settings = readSettings({
    COURSE_TABLE: z.string(),
    POST_SIZE: z.coerce.number(),
    USAGE_PLANS: jsonOf(z.record(z.string(), plan)),
    HASH_SECRET: z.optional(z.string()),
  });
  expect(settings).toEqual({
    COURSE_TABLE: "courses",
    POST_SIZE: 50,
    USAGE_PLANS: { small: { requests: 10 } },
  });
});

test("environment variables that are missing or not valid are named in the error, without their values", () => {
  vi.stubEnv("COURSE_TABLE", "courses");
  vi.stubEnv("UNION_BASE_ADDRESS", "no address");
  vi.stubEnv("THROTTLING", '{"rate":"much"}');
  const read = () =>
    readSettings({
      COURSE_TABLE: z.string(),
      CLUB_TABLE: z.string(),
      POST_SIZE: z.coerce.number(),
      UNION_BASE_ADDRESS: z.url(),
      THROTTLING: jsonOf(z.object({ rate: z.number(), burst: z.number() })),
    });
  expect(read).toThrow(
    /^Environment variables are missing or not valid: CLUB_TABLE, POST_SIZE, UNION_BASE_ADDRESS, THROTTLING\. Deploy/,
  );
});
