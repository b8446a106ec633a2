import type { Alarm } from "@scorecard-pipeline/local-aws/cloudwatch";

const pollMilliseconds = 2_000;

/** One line for an alarm that begins to ring, with the section of the runbook, or that clears. */
export function alarmLine({ path, description }: Alarm, rings: boolean): string {
  const [says = "", section = ""] = description.split(/ What to do: .*#/);
  return rings ? `ALARM    ${path}: ${says} See docs/runbook.md#${section}` : `CLEARED  ${path}`;
}

/** One line for a notice that would be mailed. @param text JSON, as the local run logs what is published */
export function mailLine(text: string): string {
  const { subject, message } = JSON.parse(text) as { readonly subject: string; readonly message: string };
  return `MAIL     ${subject}. ${message.replaceAll("\n", " ")}`;
}

/**
 * Reports each alarm that begins to ring or clears.
 *
 * @param ringing the alarms that ring now
 * @returns a function that ends it
 */
export function watchAlarms(
  ringing: () => Promise<readonly Alarm[]>,
  tell: (line: string) => void,
): () => void {
  let before = new Map<string, Alarm>();
  let isReading = false;
  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      const now = new Map((await ringing()).map((alarm) => [alarm.path, alarm]));
      for (const [path, alarm] of now) if (!before.has(path)) tell(alarmLine(alarm, true));
      for (const [path, alarm] of before) if (!now.has(path)) tell(alarmLine(alarm, false));
      before = now;
    } catch {
      // The run is ending.
    } finally {
      isReading = false;
    }
  }
  const timer = setInterval(() => void read(), pollMilliseconds);
  return () => clearInterval(timer);
}
