import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import { tableLines } from "../base/table-lines.ts";
import { counted, type Terminal } from "../base/terminal.ts";
import { type CardsOfTime, cardsOfTime, stateCounts } from "./vendor-cards.ts";

/** `scorecards cards`: lists a vendor's cards by the time at which they were accepted. It changes nothing. */
export async function cardsCommand(
  options: CardsOfTime & { readonly json?: true },
  terminal: Terminal,
): Promise<ExitCode> {
  const { cards, completeTo } = await cardsOfTime(await findTarget(options.stage), options, terminal.note);
  if (options.json) terminal.json(cards);
  else if (cards.length === 0) terminal.result(`No card was accepted in this time, up to ${completeTo}.`);
  else {
    const rows = cards.map(({ externalId, acceptedAt, state, since }) => {
      return [externalId, acceptedAt, state, since];
    });
    terminal.result(tableLines(["ExternalID", "Accepted", "State", "Since"], rows));
    terminal.result(`${counted(cards.length, "card")}, up to ${completeTo}: ${stateCounts(cards)}.`);
  }
  return exitCode.done;
}
