import { trafficText } from "@scorecard-pipeline/scorecards-client/conformance";
import { objective as goal } from "../../core/operations/service-objective.ts";
import { tableLines } from "../base/table-lines.ts";
import { counted } from "../base/terminal.ts";
import type { StageOverview } from "./read-overview.ts";

/** A duration in its two largest units; of a time that another clock saw ahead of ours, none. @example duration(3_725) // "1 h 2 min" */
function duration(seconds: number): string {
  const units = [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
    ["s", 1],
  ] as const;
  let left = Math.max(0, Math.round(seconds));
  const parts = units.map(([unit, size]) => {
    const number = Math.floor(left / size);
    left -= number * size;
    return [number, unit] as const;
  });
  const first = parts.findIndex(([number]) => number > 0);
  if (first < 0) return "0 s";
  return parts
    .slice(first, first + 2)
    .filter(([number]) => number > 0)
    .map(([number, unit]) => `${number} ${unit}`)
    .join(" ");
}

/** A table after an empty line; nothing without rows. */
const tableBelow = (...table: Parameters<typeof tableLines>) =>
  table[1].length === 0 ? [] : ["", ...tableLines(...table)];

const notRead = "could not be read";

function queueLines(queue: StageOverview["queue"]): string[] {
  if (queue === undefined) return [`Queue         ${notRead}`];
  const oldest = queue.oldestSeconds === undefined ? "" : `; the oldest for ${duration(queue.oldestSeconds)}`;
  return [
    `Queue         ${queue.waiting} waiting, ${queue.delayed} to be retried later, ${queue.inFlight} in flight${oldest}`,
    ...(queue.cardsWithoutMessage === undefined
      ? []
      : [
          `              Cards that wait though it is empty: ${queue.cardsWithoutMessage}. Messages were lost; the cards are woken up again within 35 minutes: docs/runbook.md#the-delivery-queue-was-emptied`,
        ]),
    `Dead letters  ${queue.deadLetters}`,
  ];
}

function mirrorLine(mirror: StageOverview["mirror"]): string {
  if (mirror === undefined) return `Mirror        ${notRead}`;
  const age =
    mirror.ageSeconds === undefined ? "never synced" : `the stalest ${duration(mirror.ageSeconds)} old`;
  const which = mirror.failing === 0 ? "" : "; `scorecards mirror` names them";
  const why = mirror.failure === undefined ? "" : `. ${mirror.failure}`;
  return `Mirror        ${counted(mirror.clubs, "club")}, ${age}, ${mirror.failing} failing${which}${why}`;
}

function vendorLines(vendors: NonNullable<StageOverview["vendors"]>): string[] {
  const used = vendors.filter(
    ({ requestsToday = 0, today, waiting }) => requestsToday + today.delivered + today.refused + waiting > 0,
  );
  return tableLines(
    [
      "Vendor, today",
      "Requests",
      "Accepted",
      "Refused",
      "Delivered",
      "After its day",
      "Rejected",
      "Undelivered",
      "Waiting",
    ],
    used.map(({ username, apiSet, disabled, requestsToday = "?", today, waiting }) => {
      const { accepted, refused, delivered, late, rejected, undelivered } = today;
      const name = username === apiSet ? username : `${username} (API set ${apiSet})`;
      const vendor = disabled ? `${name}, disabled` : name;
      return [vendor, requestsToday, accepted, refused, delivered, late, rejected, undelivered, waiting];
    }),
    `None of ${counted(vendors.length, "vendor")} has sent a request today.`,
  );
}

const percent = (share: number, digits: number) =>
  // A card that was late is not rounded away.
  `${(Math.floor(share * 100 * 10 ** digits) / 10 ** digits).toFixed(digits)} %`;

function objectiveLine(objective: StageOverview["objective"]): string {
  if (objective === undefined) return `Objective     ${notRead}`;
  const { delivered, delayed, share, budgetUsed, burnRates } = objective;
  if (share === undefined) return `Objective     no card was delivered in ${goal.days} days`;
  const [fast, slow] = [burnRates.fast, burnRates.slow].map((rate) => rate.toFixed(1));
  return [
    `Objective     ${percent(share, 3)} of ${counted(delivered, "card")} within five minutes in ${goal.days} days`,
    `${percent(goal.share, 1)} wanted`,
    `${delayed} late`,
    `${Math.round(100 * budgetUsed)} % of the error budget used; it burns at ${fast} times its rate now, at ${slow} in three days`,
  ].join(", ");
}

function backupLines(backups: StageOverview["backups"] = []): string[] {
  const [earliest] = backups.map(({ to }) => to).toSorted();
  if (earliest === undefined) return [];
  const lost = backups.filter(({ restorable }) => restorable === false).map(({ name }) => name);
  const isRead = backups.every(({ unread }) => unread === undefined);
  const all = isRead ? `all can be restored up to ${earliest}` : notRead;
  return [`Backups       ${lost.length > 0 ? `CANNOT BE RESTORED: ${lost.join(", ")}` : all}`];
}

const maxFaults = 3;

/** What each vendor sent in thirty days, and why most of its refused cards were refused. */
function trafficLines(traffic: StageOverview["traffic"] = []): string[] {
  const rows = traffic
    .filter(({ cards }) => cards > 0)
    .map((own) => [own.apiSet, trafficText({ ...own, refused: own.refused.slice(0, maxFaults) })]);
  return tableBelow(["Vendor", "In 30 days"], rows);
}

/** Vendors that are missed, and what the others send meanwhile. */
function silenceLines(silentVendors: StageOverview["silentVendors"] = []): string[] {
  const rows = silentVendors.map(({ apiSet, hours, usual, shareOfOthers, isUnexplained }) => {
    const others =
      shareOfOthers === undefined
        ? "too few to tell"
        : `${Math.round(100 * shareOfOthers)} % of their usual cards`;
    const why = isUnexplained ? "not known: ask the vendor" : "weather, a holiday or the season's end?";
    return [apiSet, `${hours} h`, `${usual} or more`, others, why];
  });
  return tableBelow(["Silent vendor", "For", "Usual cards", "Others send", "Why"], rows);
}

const maxRefusals = 8;

/** Refusals of the last hour, with the club and the tee if those are the reason. */
function refusalLines(refusals: StageOverview["refusals"] = []): string[] {
  const rows = refusals
    .slice(0, maxRefusals)
    .map(({ apiSet, code, cards, latest, detail }) => [apiSet, code, cards, latest, detail]);
  return tableBelow(["Refused in the last hour", "Code", "Cards", "Latest", "Why"], rows);
}

/** An overview as the lines of one screen. A part that could not be read says so, and why. */
export function overviewLines(overview: StageOverview): string[] {
  const { stack, at, union, delivery, queue, breakers, vendors, mirror, alarms, unread } = overview;
  const { objective, traffic, silentVendors, refusals, deployed, backups } = overview;
  const ago = (time: string) => duration((Date.parse(at) - Date.parse(time)) / 1000);
  const state =
    delivery === undefined ? notRead : `${delivery.held ? "ON HOLD" : "running"} (${delivery.eventSource})`;
  return [
    `${stack}, ${at}, union ${union}`,
    ...unread.map(({ part, reason }) => `NOT READ: ${part}: ${reason}`),
    "",
    ...(deployed === undefined ? [] : [`Deployed      ${deployed.commit}, ${ago(deployed.at)} ago`]),
    `Delivery      ${state}`,
    ...queueLines(queue),
    mirrorLine(mirror),
    objectiveLine(objective),
    ...backupLines(backups),
    "",
    ...tableLines(
      ["Alarm rings", "Since", "What, and what to do"],
      (alarms ?? []).map(({ name, since, text }) => [
        // CloudFormation adds eight digits of its own.
        name.replace(`${stack}-`, "").replace(/[0-9A-F]{8}(-\w+)?$/, ""),
        since && ago(since),
        text,
      ]),
      alarms === undefined ? `Alarms: ${notRead}.` : "No alarm rings.",
    ),
    "",
    ...tableLines(
      ["Breaker open", "For", "Next attempt", "Why"],
      (breakers ?? []).map(({ apiSet, since, nextAttemptAt, status, message }) => {
        const why = status === undefined ? message : `HTTP ${status}: ${message}`;
        return [apiSet, ago(since), nextAttemptAt, why];
      }),
      breakers === undefined ? `Circuit breakers: ${notRead}.` : "No circuit breaker is open.",
    ),
    "",
    ...(vendors === undefined ? [`Vendors: ${notRead}.`] : vendorLines(vendors)),
    ...trafficLines(traffic),
    ...silenceLines(silentVendors),
    ...refusalLines(refusals),
  ];
}
