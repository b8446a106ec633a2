import type { StageSettings } from "../../lib/stage-settings.ts";
import { type UnionName, unions } from "../../unions/unions.ts";

/**
 * The test stage's settings for one machine: every delivered card is looked for in the player's record, after seconds, and mails about
 * endpoints are shown.
 */
function localSettings(settings: StageSettings): StageSettings {
  return {
    ...settings,
    endpointMails: [{ address: "vendors@scorecards.example" }],
    recordCheck: { ...settings.recordCheck, share: 1 },
    // The stand-in processes cards every second.
    timing: { ...settings.timing, recordCheckEvery: 60, recordCheckFirst: 1, recordCheckLast: 4 },
  };
}

/** The test stage with alarms that ring after seconds instead of hours. */
export function rehearsalSettings(settings: StageSettings): StageSettings {
  return {
    ...settings,
    timing: { ...settings.timing, oldestCard: 30, mirrorAge: 90, mirrorEvery: 60 },
  };
}

/** The variants of the test stage's settings, by the name that the app's context calls them. */
export const variants = { local: localSettings, rehearsal: rehearsalSettings };

/** The name of a variant. */
export type Variant = keyof typeof variants;

/** Whether a value of the app's context names a variant. */
export const isVariant = (name: unknown): name is Variant => typeof name === "string" && name in variants;

/** A stage's settings for another union, at the same base address. */
export const forUnion = (settings: StageSettings, name: UnionName): StageSettings => ({
  ...settings,
  union: { ...unions[name], baseAddress: settings.union.baseAddress },
});

/** How much faster than CloudWatch the alarms of a rehearsal ring and clear: five minutes are half a minute. */
export const rehearsalSpeed = 10;
