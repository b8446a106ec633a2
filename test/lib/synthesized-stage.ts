import { App, CfnElement, Token, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import cdk from "../../cdk.json" with { type: "json" };
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import type { StageSettings } from "../../lib/settings.ts";

interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of each resource type
  readonly Properties: any;
  readonly DeletionPolicy?: string;
}

/** A stage as CloudFormation would get it. */
export interface SynthesizedStage {
  readonly template: {
    readonly Parameters: Record<string, { readonly Default?: string }>;
    readonly Outputs: Record<string, { readonly Value: unknown }>;
    readonly Resources: Record<string, Resource>;
  };
  /** The resources of a type, by the name that their construct has in the source. */
  ofType(type: string): ReadonlyMap<string, Resource>;
  /** A value of the template in one line: resources by their construct's name. */
  readable(value: unknown): string;
}

/**
 * Synthesizes stages in one app, with the CDK settings and the rule packs of a deployment.
 *
 * @throws ValidationFailed where a rule pack has a finding
 */
export function synthesizeStages(...stages: readonly StageSettings[]): SynthesizedStage[] {
  const app = new App({ context: cdk.context });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  const stacks = stages.map(
    (settings) => new PipelineStack(app, `scorecard-pipeline-${settings.stage}`, { settings }),
  );
  const assembly = app.synth();
  return stacks.map((stack) => {
    const names = new Map(
      stack.node
        .findAll()
        .filter((construct) => CfnElement.isCfnElement(construct))
        .map((element) => [nameOf(stack.resolve(element.logicalId)), ownName(element)]),
    );
    return stage(assembly.getStackArtifact(stack.artifactId).template, names);
  });
}

function nameOf(logicalId: unknown): string {
  if (typeof logicalId !== "string" || Token.isUnresolved(logicalId))
    throw new Error("A logical ID is unresolved.");
  return logicalId;
}

/** The construct's name in the source: a CloudFormation resource is the child `Resource` of what was declared. */
function ownName(element: CfnElement): string {
  const declared = element.node.id === "Resource" ? element.node.scope : element;
  return declared?.node.id ?? element.node.id;
}

function stage(template: SynthesizedStage["template"], names: ReadonlyMap<string, string>): SynthesizedStage {
  const readable = (value: unknown): string => {
    if (value === null || typeof value !== "object") return String(value);
    const [[intrinsic, argument] = ["", undefined]] = Object.entries(value);
    if (intrinsic === "Ref") return names.get(argument) ?? `<${argument}>`;
    if (intrinsic === "Fn::GetAtt") return names.get(argument[0]) ?? argument[0];
    if (intrinsic === "Fn::Join") return argument[1].map(readable).join(argument[0]);
    throw new Error(`The intrinsic ${intrinsic} is not expected here.`);
  };
  return {
    template,
    readable,
    ofType: (type) =>
      new Map(
        Object.entries(template.Resources)
          .filter(([, { Type }]) => Type === type)
          .map(([id, resource]) => [names.get(id) ?? id, resource]),
      ),
  };
}
