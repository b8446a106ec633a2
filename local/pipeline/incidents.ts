/** The incidents that can be rehearsed. */
export const incidentNames = [
  "exchange-down",
  "exchange-slow",
  "poison-card",
  "credentials-refused",
  "mirror-stale",
  "dead-letters",
] as const;

/** Name of an incident. */
export type IncidentName = (typeof incidentNames)[number];
