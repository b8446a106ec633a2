import { expect, test } from "vitest";
import { decideUnlisted, type UnlistedDecision } from "../../../core/register/unlisted-clubs.ts";
import { hour } from "../../durations.ts";

const beganAt = Date.UTC(2026, 5, 8, 12);

/** Hours since the list lacked the club, since the union said that it does not know it, and what else matters. */
type Case = [
  decision: UnlistedDecision,
  since: number,
  unknownSince: number | undefined,
  given?: { lacking?: number; mirrored?: number; failures?: number },
];

const cases: Case[] = [
  ["keep", 0, undefined],
  ["keep", 23, 23],
  ["remove", 24, 24],
  ["keep", 47, undefined],
  ["keep", 47, 23],
  ["keep", 48, 24, { failures: 1 }],
  ["operator", 49, undefined],
  ["operator", 49, 23],
  ["remove", 25, 24, { lacking: 4, mirrored: 200 }],
  ["operator", 24, 24, { lacking: 5, mirrored: 200 }],
  ["operator", 0, undefined, { lacking: 2, mirrored: 40 }],
  ["remove", 24, 24, { lacking: 1, mirrored: 3 }],
];

test.each(cases)(
  "the decision is %s after %i hours, %s of them unknown, with %o",
  (decision, since, unknown, given = {}) => {
    const { lacking = 1, mirrored = 40, failures = 0 } = given;
    const unlisted = {
      since: beganAt - since * hour,
      ...(unknown !== undefined && { unknownSince: beganAt - unknown * hour }),
    };
    const club = { unlisted, attemptedAt: beganAt, failures };
    expect(decideUnlisted(club, { mirrored, lacking }, beganAt)).toBe(decision);
  },
);
