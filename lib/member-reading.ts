import { Duration } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { pipelineFunction } from "./pipeline-function.ts";
import type { StageSettings } from "./settings.ts";
import { grantVendorSecrets, vendorSecretPrefix } from "./vendor-secrets.ts";

/** What looking members up is given. */
export interface MemberReadingProps {
  readonly settings: StageSettings;
  readonly unionBaseAddress: string;
}

/** Where a vendor looks members up: at the union, live, with the vendor's own credentials there. */
export class MemberReading extends Construct {
  readonly readMembers: LambdaFunction;

  constructor(scope: Construct, id: string, { settings, unionBaseAddress }: MemberReadingProps) {
    super(scope, id);
    const { stage, memberTimeoutSeconds } = settings;
    this.readMembers = pipelineFunction(this, "read-members", settings, {
      description: "Looks members up at the union, and keeps nothing of them",
      // The rest is for reading the secret and for a cold start.
      timeout: Duration.seconds(memberTimeoutSeconds + 5),
      memorySize: 512,
      environment: {
        UNION_BASE_ADDRESS: unionBaseAddress,
        VENDOR_SECRET_PREFIX: vendorSecretPrefix(stage),
        UNION_TIMEOUT_SECONDS: String(memberTimeoutSeconds),
      },
    });
    grantVendorSecrets(this.readMembers, stage);
  }
}
