import { expect, test } from "vitest";
import { afterFailure } from "../../../../packages/local-aws/dynamodb/stream-retries.ts";

const forever = { maximumAttempts: -1, bisects: false };
const twice = { maximumAttempts: 2, bisects: false };
const bisecting = { maximumAttempts: 2, bisects: true };

test.for([
  ["a whole batch is retried", { records: "abc", failures: 0 }, 0, forever, [["abc", 1]], ""],
  [
    "a batch is retried however often it has failed",
    { records: "abc", failures: 999 },
    0,
    forever,
    [["abc", 1000]],
    "",
  ],
  [
    "records before the failed one are not retried",
    { records: "abc", failures: 0 },
    1,
    twice,
    [["bc", 1]],
    "",
  ],
  ["a batch is discarded after its last retry", { records: "abc", failures: 2 }, 0, twice, [], "abc"],
  [
    "the rest of a batch is discarded after its last retry",
    { records: "abc", failures: 2 },
    2,
    twice,
    [],
    "c",
  ],
  [
    "a batch is halved, the earlier half first",
    { records: "abcde", failures: 2 },
    0,
    bisecting,
    [
      ["abc", 2],
      ["de", 2],
    ],
    "",
  ],
  [
    "a batch is split at the record that is reported",
    { records: "abcd", failures: 2 },
    2,
    bisecting,
    [["cd", 2]],
    "",
  ],
  ["a single record is retried", { records: "a", failures: 1 }, 0, bisecting, [["a", 2]], ""],
  ["a single record is discarded after its last retry", { records: "a", failures: 2 }, 0, bisecting, [], "a"],
] as const)("%s", ([, { records, failures }, failedFrom, retries, retry, discarded]) => {
  expect(afterFailure({ records: [...records], failures }, failedFrom, retries)).toEqual({
    retry: retry.map(([texts, times]) => ({ records: [...texts], failures: times })),
    discarded: [...discarded],
  });
});
