import { hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";

/** A hash of a text, with 96 bits: enough that no two of a billion cards collide. */
const shortHash = (text: string) => hash("sha256", text, "base64url").slice(0, 16);
const entry = /^([\w-]{16}) ([\w-]{16})$/;

/** A card as it was accepted. */
interface AcceptedCard {
  readonly externalId: string;
  readonly json: string;
}

/** Which cards of a file were accepted, so that none is sent twice. */
interface Journal {
  /** Whether the content last accepted under this ExternalID is the same. */
  readonly isAccepted: (card: AcceptedCard) => boolean;
  readonly onAccepted: (cards: readonly AcceptedCard[]) => Promise<void>;
}

/**
 * Opens the journal of a file. A journal of another pipeline or account is replaced.
 *
 * It has only hashes: of each ExternalID, and of the content last accepted under it. So a card that was changed after it
 * was accepted is sent again, as a correction.
 *
 * @param owner the pipeline and the account
 */
export async function openJournal(path: string, owner: readonly string[]): Promise<Journal> {
  const heading = `scorecards journal ${shortHash(JSON.stringify(owner))}`;
  const accepted = await acceptedBefore(path, heading);
  if (accepted === undefined) await writeFile(path, `${heading}\n`);
  // A killed run may have left an unfinished line.
  else await appendFile(path, "\n");
  const before = accepted ?? new Map<string, string>();
  return {
    isAccepted: ({ externalId, json }) => before.get(shortHash(externalId)) === shortHash(json),
    async onAccepted(cards) {
      const lines = cards.map(({ externalId, json }) => `${shortHash(externalId)} ${shortHash(json)}\n`);
      if (lines.length > 0) await appendFile(path, lines.join(""));
    },
  };
}

/** Content by ExternalID, both as hashes; undefined if there is no journal with this heading. */
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
