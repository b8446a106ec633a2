import { hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";

/** What was accepted of a file, kept beside it, so that no card is sent twice. */
export interface Journal {
  /** Cards accepted by earlier runs. */
  readonly known: number;
  /** Whether this very content is what was last accepted under this ExternalID. */
  has(externalId: string, json: string): boolean;
  add(cards: readonly { readonly externalId: string; readonly json: string }[]): Promise<void>;
}

/** 96 bits: no two of a billion cards have the same. */
const short = (text: string) => hash("sha256", text, "base64url").slice(0, 16);
const entry = /^([\w-]{16}) ([\w-]{16})$/;

/**
 * Opens the journal of a file; one that was kept for another pipeline or account is begun anew.
 *
 * It holds hashes only: of each ExternalID, and of the content last accepted under it. So a card that was changed
 * after it had been accepted is sent again, as the correction that it is.
 *
 * @param whose the pipeline and the account that the journal is for
 */
export async function openJournal(path: string, whose: readonly string[]): Promise<Journal> {
  const heading = `scorecards journal ${short(JSON.stringify(whose))}`;
  const accepted = await acceptedBefore(path, heading);
  if (accepted === undefined) await writeFile(path, `${heading}\n`);
  // Ends the line that a killed run may have left unfinished.
  else await appendFile(path, "\n");
  const before = accepted ?? new Map<string, string>();
  return {
    known: before.size,
    has: (externalId, json) => before.get(short(externalId)) === short(json),
    async add(cards) {
      const lines = cards.map(({ externalId, json }) => `${short(externalId)} ${short(json)}\n`);
      if (lines.length > 0) await appendFile(path, lines.join(""));
    },
  };
}

/** Content by ExternalID, both as hashes; undefined where there is no journal with this heading. */
async function acceptedBefore(path: string, heading: string): Promise<Map<string, string> | undefined> {
  const accepted = new Map<string, string>();
  let first = true;
  try {
    for await (const line of createInterface({ input: createReadStream(path) })) {
      if (first && line !== heading) return undefined;
      first = false;
      const [, externalId, content] = entry.exec(line) ?? [];
      if (externalId !== undefined && content !== undefined) accepted.set(externalId, content);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return first ? undefined : accepted;
}
