import { CfnCondition, CfnParameter, Fn, type Stack } from "aws-cdk-lib";
import type { StageSettings } from "./settings.ts";

/**
 * The union's base address: the stage's setting, or the template's parameter where one was given.
 *
 * The setting is not the parameter's default: a deployment keeps the value that a parameter had in the one before,
 * also where that was a default, so that a setting which is changed later would never arrive.
 */
export function unionAddress(stack: Stack, settings: Pick<StageSettings, "unionBaseAddress">): string {
  const given = new CfnParameter(stack, "UnionBaseAddress", {
    description: "Base address of the union, without a slash at its end; the stage's setting where empty",
    default: "",
  }).valueAsString;
  const isGiven = new CfnCondition(stack, "UnionBaseAddressGiven", {
    expression: Fn.conditionNot(Fn.conditionEquals(given, "")),
  });
  return Fn.conditionIf(isGiven.logicalId, given, settings.unionBaseAddress).toString();
}
