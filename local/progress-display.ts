import cliProgress from "cli-progress";

/** Where progress is shown; `isTTY` and `columns` are set for an interactive terminal. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** The progress of some work, and how to show it. */
export interface ProgressState {
  readonly done: number;
  readonly total: number;
  /** Text beside the bar. */
  readonly text: string;
  /** Line that is written instead of a bar, each time that `step` has increased. */
  readonly line: string;
  /** A whole number; no line is written at 0. */
  readonly step: number;
}

/** Shows progress. */
export interface ProgressDisplay {
  show(state: ProgressState): void;
  /** Ends the display; the last state stays on the screen. */
  end(): void;
}

/** A bar on an interactive terminal, otherwise a line for every step. */
export function progressDisplay(stream: ProgressStream): ProgressDisplay {
  return stream.isTTY ? barOn(stream) : linesOn(stream);
}

function barOn(stream: NodeJS.WritableStream): ProgressDisplay {
  const bar = new cliProgress.SingleBar(
    { stream, format: "{bar} {percentage}% | {text}", hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  let isStarted = false;
  return {
    show({ done, total, text }) {
      if (!isStarted) bar.start(total, 0, { text });
      isStarted = true;
      bar.update(done, { text });
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
