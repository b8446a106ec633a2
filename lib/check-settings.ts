import { type StageSettings, stageSettingsSchema } from "./stage-settings.ts";

/**
 * Checks the settings of a stage.
 *
 * @throws Error that names each setting that is wrong, and how
 */
export function checkSettings(settings: StageSettings): StageSettings {
  const { timing: _, ...chosen } = settings;
  const checked = stageSettingsSchema.safeParse(chosen);
  const faults =
    checked.error?.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": ")) ??
    [];
  faults.push(...contradictions(settings));
  if (faults.length > 0) throw new Error(`Settings of stage ${settings.stage}:\n${faults.join("\n")}`);
  return settings;
}

/** The settings that contradict each other, one sentence each. */
function contradictions({ alarms, monthlyBudgetUsDollars, recordCheck, union }: StageSettings): string[] {
  const faults: string[] = [];
  if (recordCheck.share > 0 && union.records === undefined)
    faults.push("recordCheck.share: must be 0, since union.records is absent");
  if (monthlyBudgetUsDollars !== undefined && alarms.address === undefined)
    faults.push("monthlyBudgetUsDollars: needs alarms.address, which gets the mail");
  return faults;
}

const placeholder = (setting: string, doesWhat: string) =>
  `${setting}: ${doesWhat}. Set it for production in lib/settings.ts, or look at the stack with -c allow-placeholders=true.`;

/** The settings that an operator must change before a production stack is made, a sentence each; none if all are changed. */
export function placeholderFaults({ union, alarms, monthlyBudgetUsDollars }: StageSettings): string[] {
  const faults: string[] = [];
  if (isPlaceholder(union.baseAddress)) {
    faults.push(
      placeholder("union.baseAddress", `${union.baseAddress} is a placeholder for the union's base address`),
    );
  }
  if (isPlaceholder(alarms.runbook)) {
    faults.push(
      placeholder("alarms.runbook", `${alarms.runbook} is a placeholder for your copy of docs/runbook.md`),
    );
  }
  if (alarms.address === undefined) {
    faults.push(placeholder("alarms.address", "nobody is told when an alarm rings"));
  }
  if (monthlyBudgetUsDollars === undefined) {
    faults.push(placeholder("monthlyBudgetUsDollars", "nobody is told when the AWS account costs too much"));
  }
  return faults;
}

/** Names below .example belong to nobody. @see RFC 2606, 2 */
const isPlaceholder = (address: string) => new URL(address).hostname.endsWith(".example");
