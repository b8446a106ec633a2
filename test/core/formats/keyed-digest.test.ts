import { expect, test } from "vitest";
import { keyedDigest } from "../../../core/formats/keyed-digest.ts";

// Items that were stored under these keys before must still be found.
test("the key of each purpose is the one under which earlier versions stored items", () => {
  const round = JSON.stringify(["32-1", "20250622080000"]);
  expect([
    keyedDigest("secret", "knownPlayer", "032-01"),
    keyedDigest("secret", "person", "010190-00a"),
    keyedDigest("secret", "recordEvidence", round),
  ]).toEqual([
    "player:bL0y70hH5F2M76Suwj0fTe-XKdk4Eg4NXxgdDdNNrmo",
    "player:ztPg4XnVusslQVIHqjVtKHS5U6pgCNdaQ9DBJopKcCQ",
    "plG1gswo23ld-sokrib8TOgFLPFnNI-z4ywwr0TZg9E",
  ]);
});
