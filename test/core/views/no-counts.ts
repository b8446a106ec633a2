import type { ActivityCounts } from "../../../api/activity.ts";

/** What is counted in a time in which nothing happened. */
export const noCounts: ActivityCounts = {
  accepted: 0,
  refused: 0,
  corrected: 0,
  resent: 0,
  withdrawn: 0,
  delivered: 0,
  onDayOfPlay: 0,
  late: 0,
  rejected: 0,
  undelivered: 0,
  warned: 0,
  playersUnknown: 0,
  recorded: 0,
  notRecorded: 0,
};
