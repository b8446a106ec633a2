import type { ActivityCounts } from "../api-types.ts";
import type { ScorecardsClient } from "../client.ts";
import { deeds } from "./deeds.ts";
import { readSeen } from "./seen.ts";

/** A vendor's traffic of some days, in shares from 0 to 1. */
export interface VendorTraffic {
  /** All that came. */
  readonly cards: number;
  /** Of all that came, by fault: a card may have several. */
  readonly refusedShare: number;
  readonly refused: readonly { readonly code: string; readonly share: number }[];
  /** Of the accepted cards; sent again are those that had been given up, rejected or withdrawn. */
  readonly correctedShare: number;
  readonly sentAgainShare: number;
  /** Of the delivered cards whose arrival is known. */
  readonly lateShare: number;
}

/** What a union keeps: which deeds a vendor has done and when, and its traffic in shares. It names no person and no card. */
export interface ConformanceReport {
  readonly apiSet: string;
  readonly api: string;
  readonly client: string;
  readonly from: string;
  readonly at: string;
  readonly done: number;
  /** `at` is absent if the API has not seen the deed. */
  readonly deeds: readonly (Omit<(typeof deeds)[number], "findTime"> & {
    readonly at?: string | undefined;
  })[];
  readonly traffic: VendorTraffic;
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((1000 * part) / whole) / 1000);

/** The traffic in an activity of the API. */
export function toTraffic({
  totals,
  refusals,
}: {
  readonly totals: ActivityCounts;
  readonly refusals: readonly { readonly code: string; readonly cards: number }[];
}): VendorTraffic {
  const { accepted, refused, corrected, resent, late, onDayOfPlay } = totals;
  const all = accepted + refused;
  return {
    cards: all,
    refusedShare: share(refused, all),
    refused: refusals.map(({ code, cards }) => ({ code, share: share(cards, all) })),
    correctedShare: share(corrected, accepted),
    sentAgainShare: share(resent, accepted),
    lateShare: share(late, late + onDayOfPlay),
  };
}

/** Asks the API for what it has seen of the vendor in the last days, and makes the report of it. Each endpoint gets two events. */
export async function readReport(
  client: ScorecardsClient,
  days: number,
  about: Pick<ConformanceReport, "api" | "client">,
): Promise<ConformanceReport> {
  const from = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  const seen = await readSeen(client, { from });
  const told = deeds.map(({ findTime, ...deed }) => ({ ...deed, at: findTime(seen) }));
  const done = told.filter(({ at }) => at !== undefined).length;
  const { apiSet } = client;
  return { apiSet, ...about, from, at: seen.at, done, deeds: told, traffic: toTraffic(seen.activity) };
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
const percent = (part: number) => `${(100 * part).toFixed(1)} %`;

/** A vendor's traffic as a sentence. */
export function trafficText({ cards, refused, ...shares }: VendorTraffic): string {
  const faults = refused.map(({ code, share: of }) => `${code} ${percent(of)}`).join(", ") || "none";
  const told = [
    `${percent(shares.refusedShare)} refused (${faults})`,
    `${percent(shares.correctedShare)} corrected`,
    `${percent(shares.sentAgainShare)} sent again`,
    `${percent(shares.lateShare)} late`,
  ];
  return `${cards} cards: ${told.join(", ")}.`;
}

/** The report as lines for a terminal: what is done, and of what is left why it matters. */
export const toLines = ({ deeds: all, done, traffic }: ConformanceReport): string[] => [
  ...all.map(({ title, why, at }) => (at === undefined ? `[ ] ${title}\n    ${why}` : `[x] ${title}`)),
  `${done} of ${all.length} deeds are done.`,
  trafficText(traffic),
];

/** The report as a page to print. */
export function toPage({ deeds: all, traffic, ...report }: ConformanceReport): string {
  const { apiSet, api, client, from, at, done } = report;
  const rows = all.map(
    ({ title, why, at: time }) =>
      `<tr><td>${time === undefined ? "&#9744;" : "&#9745;"}</td><td>${escapeHtml(title)}<br><small>${escapeHtml(why)}</small></td><td>${time ?? ""}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Conformance of ${escapeHtml(apiSet)}</title>
<style>body{font:11pt sans-serif;max-width:60em;margin:2em auto}td{vertical-align:top;padding:.2em .6em}tr{break-inside:avoid}</style>
<h1>Conformance of ${escapeHtml(apiSet)}</h1>
<p>${done} of ${all.length} deeds, as ${escapeHtml(api)} saw them from ${from} to ${at}. Client ${escapeHtml(client)}.</p>
<table>${rows.join("\n")}</table>
<p>${escapeHtml(trafficText(traffic))}</p>
</html>
`;
}
