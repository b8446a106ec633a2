import { personsCopy } from "../../core/cards/person-data.ts";
import { tableLines } from "../base/table-lines.ts";
import { counted, type Terminal } from "../base/terminal.ts";
import { isLeft, type PersonCard, type PersonSearch } from "./held-data.ts";
import { onlyNaming } from "./json-texts.ts";

/** What no command reaches. docs/privacy.md says more. */
const notReached = [
  "backups, until 35 days after the change: take-over erases again",
  "the table's stream and the queue of cards on their way, which forget within a day and with the outcome",
  "the union, which erases by its own rules",
  "vendors and their webhook endpoints, which have what they sent and what they were answered",
] as const;

/** Prints what a person may have: of others' data only the entries that name the person. @returns false if something resembles the person */
export function printCopy({ names, ...search }: PersonSearch, terminal: Terminal): boolean {
  const { scanned, cards, held, notLookedAt } = search;
  const others = held.map(({ place, what, text: whole, until }) => {
    const { text, leftOut } = onlyNaming(whole, names);
    return { place, what, text, ...(leftOut > 0 && { leftOut }), until };
  });
  const mayBe = [...search.resembling];
  const copies = cards.map(({ card, person }) => personsCopy(card, person));
  terminal.json({ scanned, cards: copies, others, mayBe, notLookedAt, notReached });
  return mayBe.length === 0;
}

function toRow({ card, person: { role, pointers, inExternalId }, finding, until }: PersonCard) {
  const { apiSet, externalId, state } = card;
  const at = [...pointers, ...(inExternalId && !pointers.includes("/ExternalID") ? ["/ExternalID"] : [])];
  const acceptedAt = new Date(card.acceptedAt).toISOString();
  return { apiSet, externalId, role, state, acceptedAt, finding, at, until };
}

/** @returns false if an erasure leaves something or has not looked everywhere, or if something resembles the person */
export function printReport(
  { erase, scanned, cards, held, notLookedAt, resembling }: PersonSearch,
  isFinished: boolean,
  json: true | undefined,
  terminal: Terminal,
): boolean {
  const left = cards.filter(({ finding }) => isLeft(finding)).length;
  const isChanged = held.some(({ finding }) => isLeft(finding));
  const isKept =
    erase &&
    (held.some(({ finding }) => finding === "kept") || cards.some(({ person }) => person.inExternalId));
  const isUnsearched = erase && notLookedAt.length > 0;
  const mayBe = [...resembling];
  const others = held.map(({ text: _text, ...one }) => one);
  const rows = cards.map(toRow);
  if (json) terminal.json({ scanned, left, isFinished, mayBe, cards: rows, others, notLookedAt, notReached });
  else {
    const head = ["Vendor", "ExternalID", "As", "State", "Accepted", "Result", "Where", "Goes at"];
    terminal.result(tableLines(head, rows.map(Object.values)));
    const lines = others.map(({ place, what, finding, until }) => [place, what, finding, until]);
    terminal.result(tableLines(["Place", "What", "Result", "Goes at"], lines));
    const entries = others.length === 1 ? "1 other entry" : `${others.length} other entries`;
    const notes = [
      `${counted(rows.length, "card")} of ${scanned} name this person, and ${entries}.`,
      !isFinished &&
        "Unfinished: an error ended the erasure. Keep this report, and run the same command again.",
      left > 0 &&
        `${counted(left, "card")} may still be posted. Run the same command two hours after their outcome.`,
      isChanged && "What changed meanwhile is still there. Run the same command again.",
      isKept && "What is kept, and an ExternalID, names the person until the day it goes.",
      ...mayBe.map(
        (one) => `May be this person: ${one}. Take it with --also "${one}"; --also alone takes none.`,
      ),
      isUnsearched && "The erasure is not complete, because it has not looked everywhere.",
      ...notLookedAt.map((place) => `Not looked through: ${place}.`),
      ...(erase ? notReached.map((place) => `Not reached: ${place}.`) : []),
    ];
    for (const note of notes) if (note) terminal.result(note);
  }
  return left === 0 && !isChanged && !isKept && !isUnsearched && mayBe.length === 0;
}
