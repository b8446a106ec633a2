import cliProgress from "cli-progress";

/** Where progress is shown; `isTTY` is set where a person watches. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** How far something is, and how that is said. */
export interface Standing {
  /** Of `whole`. */
  readonly done: number;
  readonly whole: number;
  /** What stands beside the bar. */
  readonly words: string;
  /** What is said where there is no bar, each time that `step` has risen. */
  readonly line: string;
  /** A whole number; 0 where nothing is worth a line yet. */
  readonly step: number;
}

/** Shows how far something is. */
export interface ProgressDisplay {
  show(standing: Standing): void;
  /** Leaves what was shown last on the screen. */
  end(): void;
}

/** A bar where a person watches, otherwise a line for every step. */
export function progressDisplay(stream: ProgressStream): ProgressDisplay {
  return stream.isTTY ? barOn(stream) : linesOn(stream);
}

function barOn(stream: NodeJS.WritableStream): ProgressDisplay {
  const bar = new cliProgress.SingleBar(
    { stream, format: "{bar} {percentage}% | {words}", hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  let isStarted = false;
  return {
    show({ done, whole, words }) {
      if (!isStarted) bar.start(whole, 0, { words });
      isStarted = true;
      bar.update(done, { words });
    },
    end: () => bar.stop(),
  };
}

function linesOn(stream: NodeJS.WritableStream): ProgressDisplay {
  let shown = 0;
  return {
    show({ step, line }) {
      if (step <= shown) return;
      shown = step;
      stream.write(`${line}\n`);
    },
    end() {},
  };
}
