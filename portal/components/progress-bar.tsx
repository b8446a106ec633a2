interface ProgressBarProps {
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
}

/** How much of a tournament is delivered, as a bar; the counts beside it say the same. */
export function ProgressBar({ sent, delivered, failed }: ProgressBarProps) {
  const share = (count: number) => `${sent === 0 ? 0 : (100 * count) / sent}%`;
  return (
    <div class="progress" aria-hidden="true">
      <span class="done" style={{ width: share(delivered) }} />
      <span class="failed" style={{ width: share(failed) }} />
    </div>
  );
}
