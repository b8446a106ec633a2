import type { TargetStage } from "./target.ts";

/**
 * A subcommand as somebody pastes it, with the stage that is in use.
 *
 * @example typedCommand("account list", "test") // "npm run scorecards -- account list --stage test"
 */
export function typedCommand(subcommand: string, stage: TargetStage): string {
  return `npm run scorecards -- ${subcommand}${stage === "local" ? "" : ` --stage ${stage}`}`;
}
