import cliProgress from "cli-progress";
import type { PlayProgress } from "./play.ts";

/** Shows how far a sample is. */
export interface ProgressDisplay {
  show(progress: PlayProgress): void;
  /** Leaves what was shown last on the screen. */
  end(): void;
}

/** Where a display is written; `isTTY` is set where a person watches. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** A bar where a person watches, otherwise a line for every tenth of the way. */
export function progressDisplay(stream: ProgressStream): ProgressDisplay {
  return stream.isTTY ? barOn(stream) : linesOn(stream);
}

const settled = ({ refused, delivered }: PlayProgress) => refused + delivered;

function barOn(stream: NodeJS.WritableStream): ProgressDisplay {
  const format =
    "{bar} {percentage}% | submitted {submitted}/{total} | refused {refused} | delivered {delivered}";
  const bar = new cliProgress.SingleBar(
    { stream, format, hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  let isStarted = false;
  return {
    show(progress) {
      if (!isStarted) bar.start(progress.total, 0, progress);
      isStarted = true;
      bar.update(settled(progress), progress);
    },
    end() {
      bar.stop();
    },
  };
}

function linesOn(stream: NodeJS.WritableStream): ProgressDisplay {
  let shown = -1;
  return {
    show(progress) {
      const { submitted, accepted, refused, delivered, total } = progress;
      // Twenty steps in all: ten of submitting, ten of what becomes of it.
      const steps = Math.floor((10 * submitted) / total) + Math.floor((10 * settled(progress)) / total);
      if (steps <= shown) return;
      shown = steps;
      stream.write(
        `Submitted ${submitted} of ${total} cards: ${accepted} accepted, ${refused} refused, ${delivered} delivered\n`,
      );
    },
    end() {},
  };
}
