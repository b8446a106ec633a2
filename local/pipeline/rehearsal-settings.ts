import type { StageSettings } from "../../lib/settings.ts";

/** The test stage with alarms that ring after seconds instead of hours. */
export function rehearsalSettings(settings: StageSettings): StageSettings {
  return {
    ...settings,
    alarms: { ...settings.alarms, oldestCardSeconds: 30, mirrorAgeSeconds: 90 },
    mirror: { ...settings.mirror, everyMinutes: 1, timeoutSeconds: 60 },
  };
}

/** How much faster than CloudWatch the alarms of a rehearsal ring and clear: five minutes are half a minute. */
export const rehearsalSpeed = 10;
