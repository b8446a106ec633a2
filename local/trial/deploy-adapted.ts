import { type Adaptation, alarmsOnExpressions, isOptional } from "./adapt-stack.ts";

/** A resource that the endpoint refused, from the stack's events. */
export interface RefusedResource {
  readonly logicalId: string;
  readonly type: string;
  readonly reason: string;
}

/** How a run of a program ended. */
export interface ProgramEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Functions that deploy the test stage and read the resources that failed. */
export interface DeployDependencies {
  /** Deploys the test stage, adapted. */
  readonly deploy: (adaptation: Adaptation) => Promise<ProgramEnd>;
  /** The resources that failed in the last deployment. */
  readonly refusedResources: () => Promise<readonly RefusedResource[]>;
}

/** CloudFormation's error message, in change sets of AWS and of emulators. */
const unknownTypes = /Unrecognized resource types: \[([^\]]+)\]/;

/** Each deployment finds at least one more refused resource. A trial on an endpoint that refuses 20 is of no use. */
const maxDeployments = 20;

/**
 * Deploys the stack, and again without each resource that the endpoint refuses, as long as cards are delivered without it.
 *
 * @param leftOut called with each resource that the stack goes without, and why
 * @returns the adaptation with which it was deployed
 * @throws Error with the output of the CDK if a resource is refused that the trial cannot go without
 */
export async function deployAdapted(
  { deploy, refusedResources }: DeployDependencies,
  from: Adaptation,
  leftOut: (what: string, reason: string) => void,
): Promise<Adaptation> {
  let adaptation = from;
  for (let count = 0; count < maxDeployments; count++) {
    const { code, stdout, stderr } = await deploy(adaptation);
    if (code === 0) return adaptation;
    const types = unknownTypes.exec(`${stdout}\n${stderr}`)?.[1]?.split(/,\s*/) ?? [];
    const refused =
      types.length > 0
        ? types.map((type) => ({ logicalId: type, type, reason: "CloudFormation does not know this type" }))
        : await refusedResources();
    const optional = refused.filter(
      ({ logicalId, type }) => isOptional(type) && !adaptation.leaveOut.includes(logicalId),
    );
    if (optional.length === 0 || optional.length < refused.length) {
      const reasons = refused.map(({ logicalId, type, reason }) => `${logicalId} (${type}): ${reason}`);
      throw new Error([...reasons, lastLines(`${stdout}\n${stderr}`)].join("\n"));
    }
    // Each deployment finds one of these alarms, and takes a minute.
    const isOfExpressions = optional.some(({ reason }) => /metric math/i.test(reason));
    for (const { logicalId, type, reason } of optional) {
      leftOut(logicalId === type ? type : `${logicalId} (${type})`, reason);
    }
    if (isOfExpressions) leftOut(alarmsOnExpressions, "the endpoint has none");
    adaptation = {
      ...adaptation,
      leaveOut: [
        ...adaptation.leaveOut,
        ...optional.map(({ logicalId }) => logicalId),
        ...(isOfExpressions ? [alarmsOnExpressions] : []),
      ],
    };
  }
  throw new Error(`The endpoint still refuses resources after ${maxDeployments} deployments.`);
}

/** The end of an output, which says what went wrong. */
export function lastLines(output: string): string {
  return output.trim().split("\n").slice(-12).join("\n");
}
