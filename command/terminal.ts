import type { ProgressStream } from "../client/progress-display.ts";

/** Where the command speaks: results to stdout, everything else to stderr. */
export interface Terminal {
  /** A result for people: a text is one line, whatever it contains. */
  result(lines: string | readonly string[]): void;
  /** A result for programs: one line of JSON. */
  json(document: unknown): void;
  /** One line for whoever waits. */
  note(line: string): void;
  /** For a progress display. */
  readonly progress: ProgressStream;
  /** Ends with Ctrl-C. */
  readonly signal: AbortSignal;
}

/** What ends a line, or moves within it. */
const lineBreaks = /[\t-\r\u0085\u2028\u2029]+/g;
/** What a terminal obeys instead of showing: control characters, ESC among them, and marks that turn the direction of text. */
const commands = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * A text as one line that a terminal only shows. An answer, an ExternalID or a file may hold sequences that clear the
 * screen, forge lines or turn text around.
 */
export function printable(text: string): string {
  return text.replaceAll(lineBreaks, " ").replaceAll(commands, "");
}

/** JSON that says the same and is safe to show, too: `JSON.stringify` escapes no more than the first 32 characters. */
export function printableJson(document: unknown): string {
  return JSON.stringify(document).replaceAll(
    commands,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A terminal that writes to two streams; nothing gets to them that it would obey. */
export function terminalOn(
  stdout: NodeJS.WritableStream,
  stderr: ProgressStream,
  signal: AbortSignal,
): Terminal {
  return {
    result: (lines) =>
      void stdout.write(
        [lines]
          .flat()
          .map((line) => `${printable(line)}\n`)
          .join(""),
      ),
    json: (document) => void stdout.write(`${printableJson(document)}\n`),
    note: (line) => void stderr.write(`${printable(line)}\n`),
    progress: stderr,
    signal,
  };
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => interrupted.abort(new Error("It was interrupted.")));
  }
  return terminalOn(process.stdout, process.stderr, interrupted.signal);
}
