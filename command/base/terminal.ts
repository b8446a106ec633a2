import type { ProgressStream } from "../../local/progress-display.ts";
import type { CommandProcess } from "./command-process.ts";

/** The command's output: results go to stdout, everything else to stderr. */
export interface Terminal {
  /** A result for people. Each text is printed as one line, even if it contains line breaks. */
  result(lines: string | readonly string[]): void;
  /** A result for programs: one line of JSON. */
  json(document: unknown): void;
  /** One line on stderr. */
  note(line: string): void;
  /** Clears the screen, if stdout is one. */
  clear(): void;
  /** Characters in a line of stdout; 80 if it is no terminal. */
  readonly width: number;
  readonly progress: ProgressStream;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Characters that end a line or move within it. */
const lineBreaks = /[\t-\r\u0085\u2028\u2029]+/g;
/** Characters that control a terminal: control characters, among them ESC, and marks that change the text direction. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Makes a text safe to print on one line. A response, an ExternalID or a file may contain control sequences that clear
 * the screen, forge lines or reverse text.
 */
export function printable(text: string): string {
  return text.replaceAll(lineBreaks, " ").replaceAll(controls, "");
}

/** JSON that is safe to print: it escapes all control characters, of which `JSON.stringify` only escapes the first 32. */
export function printableJson(document: unknown): string {
  return JSON.stringify(document).replaceAll(
    controls,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A terminal that writes to two streams, without control characters. */
export function terminalOn(stdout: ProgressStream, stderr: ProgressStream, signal: AbortSignal): Terminal {
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
    clear: () => {
      if (stdout.isTTY) stdout.write("\u001b[H\u001b[2J");
    },
    width: stdout.columns ?? 80,
    progress: stderr,
    signal,
  };
}

/** The terminal of a process. */
export function processTerminal(own: CommandProcess): Terminal {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    own.once(name, () => interrupted.abort(new Error("The command was interrupted.")));
  }
  return terminalOn(own.stdout, own.stderr, interrupted.signal);
}

/** A number with its noun, in the singular or plural. @example counted(2, "card") // "2 cards" */
export function counted(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
