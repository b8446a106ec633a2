import { Duration } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { Construct } from "constructs";
import type { CourseMirror } from "./course-mirror.ts";
import { bind, pipelineFunction } from "./pipeline-function.ts";
import type { StageSettings } from "./stage-settings.ts";
import { withBurst } from "./usage-limits.ts";
import { grantVendorSecrets, type VendorAccounts, vendorSecretPrefix } from "./vendor-accounts.ts";

/** Options of {@link readApi}. */
export interface ReadApiProps {
  readonly settings: StageSettings;
  readonly unionBaseAddress: string;
  readonly scorecards: Table;
  readonly activity: Table;
  readonly accounts: VendorAccounts;
  readonly mirror: CourseMirror;
}

/** Creates the functions with which vendors read the state of cards, courses, members, and the API's description. */
export function readApi(scope: Construct, props: ReadApiProps) {
  const { settings, unionBaseAddress, scorecards, activity, mirror } = props;
  const { stage, timing } = settings;

  const trackScorecards = pipelineFunction(new Construct(scope, "Tracking"), "track-scorecards", settings, {
    description: "Reads the states of scorecards, and what was counted of them",
    timeout: Duration.seconds(15),
    memorySize: 1024,
    environment: {},
  });
  bind(trackScorecards, "ACTIVITY_TABLE", activity, ["Query"]);
  bind(trackScorecards, "SCORECARD_TABLE", scorecards, ["BatchGetItem"], "byState");

  const readCourses = pipelineFunction(new Construct(scope, "Reading"), "read-courses", settings, {
    description: "Answers with the mirrored clubs and courses",
    timeout: Duration.seconds(15),
    // Twice the memory that the lists of 16,000 clubs and the cache of their courses take.
    memorySize: 1536,
    environment: {},
  });
  mirror.bindRead(readCourses);

  const readMembers = pipelineFunction(new Construct(scope, "Members"), "read-members", settings, {
    description: "Looks members and their records up at the union, and keeps nothing of them",
    // The union's time, and five seconds for reading the secret and for a cold start.
    timeout: Duration.seconds(timing.memberLookup + 5),
    memorySize: 512,
    environment: {
      UNION_BASE_ADDRESS: unionBaseAddress,
      ...(settings.union.records !== undefined && { RECORDS_API_SET: settings.union.records.apiSet }),
      VENDOR_SECRET_PREFIX: vendorSecretPrefix(stage),
      UNION_TIMEOUT_SECONDS: String(timing.memberLookup),
    },
  });
  grantVendorSecrets(readMembers, stage);

  const { describeAccount, describeApi } = addDescription(new Construct(scope, "Description"), props);

  const servePortal = pipelineFunction(new Construct(scope, "Portal"), "serve-portal", settings, {
    description: "Serves the portal's page with its files, and the API's reference",
    timeout: Duration.seconds(10),
    memorySize: 256,
    environment: {},
  });
  return { trackScorecards, readCourses, readMembers, describeAccount, describeApi, servePortal };
}

function addDescription(description: Construct, { settings, accounts }: ReadApiProps) {
  const { standard, tournament } = settings.usagePlans;
  const describeAccount = pipelineFunction(description, "describe-account", settings, {
    description: "Shows the holder of an account what it may use, and signs people in to the portal",
    timeout: Duration.seconds(10),
    // As much as the authorizer has, because more memory brings more of a processor.
    memorySize: 512,
    environment: {
      USAGE_PLANS: JSON.stringify({ standard: withBurst(standard), tournament: withBurst(tournament) }),
      THROTTLING: JSON.stringify(withBurst({ ratePerSecond: settings.requestsPerSecond })),
      TIME_ZONE: settings.union.timeZone,
      OPERATOR_CONTACT: settings.operatorContact,
    },
  });
  accounts.bindSignIn(describeAccount);

  const describeApi = pipelineFunction(description, "describe-api", settings, {
    description: "Answers with the API's OpenAPI document",
    timeout: Duration.seconds(10),
    memorySize: 512,
    environment: {},
  });
  return { describeAccount, describeApi };
}
