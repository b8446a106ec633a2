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

/** The settings that an operator must change before a production stack is made, a sentence each; none if all are changed. */
export function placeholderFaults({ union, alarms, monthlyBudgetUsDollars }: StageSettings): string[] {
  const { baseAddress } = union;
  const { address, runbook } = alarms;
  const left: Readonly<Record<string, string | false>> = {
    "union.baseAddress": isPlaceholder(baseAddress) && `${baseAddress} is no union's base address`,
    "alarms.runbook": isPlaceholder(runbook) && `${runbook} is not your copy of docs/runbook.md`,
    "alarms.address": address === undefined && "nobody is told when an alarm rings",
    monthlyBudgetUsDollars:
      monthlyBudgetUsDollars === undefined && "nobody is told when the AWS account costs too much",
  };
  return Object.entries(left).flatMap(([setting, why]) =>
    why
      ? `${setting}: ${why}. Set it for production in lib/settings.ts, or look at the stack with -c allow-placeholders=true.`
      : [],
  );
}

/** Names below .example belong to nobody. @see RFC 2606, 2 */
const isPlaceholder = (address: string) => new URL(address).hostname.endsWith(".example");
