import { deeds } from "./deeds.ts";
import type { SeenByApi } from "./seen.ts";

/** What a union keeps: which deeds a vendor has done and when, and its traffic in shares. It names no person and no card. */
export interface ConformanceReport {
  readonly apiSet: string;
  readonly api: string;
  readonly client: string;
  readonly from: string;
  readonly at: string;
  readonly done: number;
  readonly deeds: readonly {
    readonly id: string;
    readonly title: string;
    readonly why: string;
    readonly at?: string;
  }[];
  readonly traffic: {
    readonly cards: number;
    /** Of all cards that came. */
    readonly refusedShare: number;
    readonly refused: readonly { readonly code: string; readonly cards: number }[];
    /** Of the accepted cards. */
    readonly correctedShare: number;
    /** Of the delivered cards whose arrival is known. */
    readonly lateShare: number;
  };
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((1000 * part) / whole) / 1000);

/** Makes the report of what the API has seen. @param about the vendor, the API, the client's version and the first day */
export function toReport(
  seen: SeenByApi,
  about: Pick<ConformanceReport, "apiSet" | "api" | "client" | "from">,
): ConformanceReport {
  const told = deeds.map(({ id, title, why, findTime }) => {
    const at = findTime(seen);
    return { id, title, why, ...(at !== undefined && { at }) };
  });
  const { accepted, refused, corrected, late, onDayOfPlay } = seen.totals;
  return {
    ...about,
    at: seen.at,
    done: told.filter(({ at }) => at !== undefined).length,
    deeds: told,
    traffic: {
      cards: accepted + refused,
      refusedShare: share(refused, accepted + refused),
      refused: seen.faults.map(({ code, cards }) => ({ code, cards })),
      correctedShare: share(corrected, accepted),
      lateShare: share(late, late + onDayOfPlay),
    },
  };
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
const percent = (part: number) => `${(100 * part).toFixed(1)} %`;

/** The report as lines for a terminal: what is done, and of what is left why it matters. */
export const toLines = ({ deeds: all, done }: ConformanceReport): string[] => [
  ...all.map(({ title, why, at }) => (at === undefined ? `[ ] ${title}\n    ${why}` : `[x] ${title}`)),
  `${done} of ${all.length} deeds are done.`,
];

/** The report as a page to print. */
export function toPage({ deeds: all, traffic, ...report }: ConformanceReport): string {
  const { apiSet, api, client, from, at, done } = report;
  const rows = all.map(
    ({ title, why, at: time }) =>
      `<tr><td>${time === undefined ? "&#9744;" : "&#9745;"}</td><td>${escapeHtml(title)}<br><small>${escapeHtml(why)}</small></td><td>${time ?? ""}</td></tr>`,
  );
  const faults = traffic.refused.map(({ code, cards }) => `${escapeHtml(code)}: ${cards}`).join(", ");
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Conformance of ${escapeHtml(apiSet)}</title>
<style>body{font:11pt sans-serif;max-width:60em;margin:2em auto}td{vertical-align:top;padding:.2em .6em}tr{break-inside:avoid}</style>
<h1>Conformance of ${escapeHtml(apiSet)}</h1>
<p>${done} of ${all.length} deeds, as ${escapeHtml(api)} saw them from ${from} to ${at}. Client ${escapeHtml(client)}.</p>
<table>${rows.join("\n")}</table>
<p>${traffic.cards} cards: ${percent(traffic.refusedShare)} refused (${faults || "none"}), ${percent(traffic.correctedShare)} corrected, ${percent(traffic.lateShare)} late.</p>
</html>
`;
}
