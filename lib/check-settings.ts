import { timingFaults } from "../core/cards/delivery/timing.ts";
import { awsLimits } from "./aws-facts.ts";
import { type StageSettings, stageSettingsSchema } from "./stage-settings.ts";

/**
 * Checks the settings of a stage.
 *
 * @throws Error that names each setting that is wrong, and how
 */
export function checkSettings(settings: StageSettings): StageSettings {
  const checked = stageSettingsSchema.safeParse(settings);
  const faults =
    checked.error?.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": ")) ??
    [];
  faults.push(...timingFaults(settings.delivery));
  faults.push(...contradictions(settings));
  if (faults.length > 0) throw new Error(`Settings of stage ${settings.stage}:\n${faults.join("\n")}`);
  return settings;
}

/** The settings that contradict each other or a limit of AWS, one sentence each. */
function contradictions({ alarms, delivery, mirror, recordCheck, union }: StageSettings): string[] {
  const [maxBatch, keptDays] = [awsLimits.batchSizeWithoutWindow, awsLimits.messageRetentionDays];
  const { batchSize, batchWindowSeconds, timeoutSeconds, visibilityTimeoutSeconds } = delivery;
  const requirements: readonly (readonly [holds: boolean, fault: string])[] = [
    [
      batchSize <= maxBatch || batchWindowSeconds >= 1,
      `delivery.batchWindowSeconds: must be at least 1 if batchSize is over ${maxBatch}`,
    ],
    [
      visibilityTimeoutSeconds >= timeoutSeconds + batchWindowSeconds ||
        visibilityTimeoutSeconds < timeoutSeconds,
      "delivery.visibilityTimeoutSeconds: must not be shorter than batchWindowSeconds and timeoutSeconds together, or a message comes back while it is being delivered",
    ],
    [
      visibilityTimeoutSeconds <= 1200,
      "delivery.visibilityTimeoutSeconds: must be at most 1200, so that a message is received three times in the hour before it is a dead letter",
    ],
    [
      delivery.giveUpAfterSeconds < keptDays * 86_400,
      `delivery.giveUpAfterSeconds: must be less than the ${keptDays} days that SQS keeps a message`,
    ],
    [
      alarms.oldestCardSeconds < delivery.giveUpAfterSeconds,
      "alarms.oldestCardSeconds: must be less than delivery.giveUpAfterSeconds, or the alarm comes too late",
    ],
    [
      mirror.timeoutSeconds <= 60 * mirror.everyMinutes,
      "mirror.timeoutSeconds: must not be longer than everyMinutes, or runs pile up",
    ],
    [
      recordCheck.timeoutSeconds <= 60 * recordCheck.everyMinutes,
      "recordCheck.timeoutSeconds: must not be longer than everyMinutes, or runs pile up",
    ],
    [
      recordCheck.firstAfterSeconds < recordCheck.lastAfterSeconds,
      "recordCheck.firstAfterSeconds: must be less than lastAfterSeconds",
    ],
    [
      recordCheck.share === 0 || union.records !== undefined,
      "recordCheck.share: must be 0, since union.records is absent",
    ],
  ];
  return requirements.filter(([holds]) => !holds).map(([, fault]) => fault);
}

const placeholder = (setting: string, doesWhat: string) =>
  `${setting}: ${doesWhat}. Set it for production in lib/settings.ts, or look at the stack with -c allow-placeholders=true.`;

/** The settings that an operator must change before a production stack is made, a sentence each; none if all are changed. */
export function placeholderFaults({ union, alarms }: StageSettings): string[] {
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
  return faults;
}

/** Names below .example belong to nobody. @see RFC 2606, 2 */
const isPlaceholder = (address: string) => new URL(address).hostname.endsWith(".example");
