import { CfnOutput, type Stack } from "aws-cdk-lib";

/**
 * What a stage's stack gives out about itself, by name with a description: all that the `scorecards` command has to
 * know to work on a stage. The names are kept, since scripts of operators read them as well.
 */
export function giveOut(
  stack: Stack,
  outputs: Readonly<Record<string, readonly [description: string, value: string]>>,
): void {
  for (const [name, [description, value]] of Object.entries(outputs)) {
    new CfnOutput(stack, name, { description, value });
  }
}
