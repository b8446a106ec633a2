import * as z from "zod";
import type { ResourceType } from "../base/resource-type.ts";
import type { LocalFunction } from "./local-function.ts";

const versionSchema = z.strictObject({ FunctionName: z.string() });

const aliasSchema = z.strictObject({
  FunctionName: z.string(),
  FunctionVersion: z.string(),
  Name: z.string(),
});

/** The version that the only code of a function has here. */
const onlyVersion = "1";

/**
 * AWS::Lambda::Version and AWS::Lambda::Alias of a function. There is one version only, which has all invocations: whoever invokes an alias
 * invokes the function.
 */
export function aliasTypes(
  functionBy: (nameOrArn: string) => LocalFunction | undefined,
): Readonly<Record<"AWS::Lambda::Version" | "AWS::Lambda::Alias", ResourceType>> {
  const toArn = (name: string) => {
    const found = functionBy(name);
    if (found === undefined) throw new Error(`the stack has no function ${name}`);
    return found.arn;
  };
  return {
    "AWS::Lambda::Version": ({ properties }) => {
      const { FunctionName } = versionSchema.parse(properties);
      const FunctionArn = `${toArn(FunctionName)}:${onlyVersion}`;
      return { ref: FunctionArn, attributes: { FunctionArn, Version: onlyVersion } };
    },
    "AWS::Lambda::Alias": ({ properties }) => {
      const { FunctionName, Name } = aliasSchema.parse(properties);
      const AliasArn = `${toArn(FunctionName)}:${Name}`;
      return { ref: AliasArn, attributes: { AliasArn } };
    },
  };
}
