import { readActivity } from "../../core/views/activity.ts";
import { json } from "../http/response.ts";
import { readDays } from "./days.ts";
import { feedPage } from "./feed-page.ts";
import { refusedCards } from "./refused-cards.ts";
import { readClock, type Tracking, type TrackingAnswers } from "./tracking.ts";

/** Answers with what happened: counts of days, events, and why cards were refused. */
export function dayAnswers({
  table,
  activity,
  refusals,
  feed,
  timeZone,
}: Tracking): TrackingAnswers<"getActivity" | "listEvents" | "listRefusals"> {
  return {
    async getActivity({ apiSet, query }) {
      const { now, today } = readClock(timeZone);
      const days = readDays(query, today);
      return json(200, await readActivity({ activity, table }, apiSet, days, { now, timeZone }));
    },
    listEvents: ({ apiSet, query }) => feedPage(feed, apiSet, query, Date.now()),
    listRefusals: ({ apiSet, query }) =>
      refusedCards(refusals, apiSet, query, { today: readClock(timeZone).today, timeZone }),
  };
}
