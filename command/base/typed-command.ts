import type { TargetStage } from "./target.ts";

/**
 * A subcommand as text to paste into a shell, with the current stage.
 *
 * @example typedCommand("account list", "test") // "npm run scorecards -- account list --stage test"
 */
export function typedCommand(subcommand: string, stage: TargetStage): string {
  return `npm run scorecards -- ${subcommand}${stage === "local" ? "" : ` --stage ${stage}`}`;
}
