import cliProgress from "cli-progress";
import type { CardFile } from "./card-file.ts";
import type { SubmitCounts } from "./submit-file.ts";

/** Shows how far a file is. */
export interface SubmitProgress {
  show(counts: SubmitCounts): void;
  /** Leaves what was shown last on the screen. */
  end(): void;
}

/** A bar where a person watches, otherwise a line for every tenth of the way. */
export function submitProgress(
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean },
  file: Pick<CardFile, "size" | "bytesRead">,
): SubmitProgress {
  return stream.isTTY ? barOn(stream, file) : linesOn(stream, file);
}

const words = ({ accepted, acceptedBefore, refused }: SubmitCounts) =>
  `${accepted} accepted, ${refused} refused${acceptedBefore > 0 ? `, ${acceptedBefore} accepted before` : ""}`;

function barOn(stream: NodeJS.WritableStream, file: Pick<CardFile, "size" | "bytesRead">): SubmitProgress {
  const bar = new cliProgress.SingleBar(
    { stream, format: "{bar} {percentage}% | {words}", hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  bar.start(file.size, 0, { words: "" });
  return {
    show: (counts) => bar.update(file.bytesRead(), { words: words(counts) }),
    end: () => bar.stop(),
  };
}

function linesOn(stream: NodeJS.WritableStream, file: Pick<CardFile, "size" | "bytesRead">): SubmitProgress {
  let shown = 0;
  return {
    show(counts) {
      const tenths = Math.floor((10 * file.bytesRead()) / Math.max(1, file.size));
      if (tenths <= shown) return;
      shown = tenths;
      stream.write(`${tenths * 10}% of the file: ${words(counts)}\n`);
    },
    end() {},
  };
}
