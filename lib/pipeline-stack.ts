import { Stack, type StackProps, Validations } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { alarmTopic } from "./alarm-topic.ts";
import { ApiDescription } from "./api-description.ts";
import { CourseMirror } from "./course-mirror.ts";
import { CourseReading } from "./course-reading.ts";
import { dataKey } from "./data-key.ts";
import { Delivery } from "./delivery.ts";
import { MemberReading } from "./member-reading.ts";
import { Monitoring } from "./monitoring.ts";
import { OutcomeEvents } from "./outcome-events.ts";
import { giveOut } from "./outputs.ts";
import { pipelineDashboard } from "./pipeline-dashboard.ts";
import { scorecardStore } from "./scorecard-store.ts";
import { checkSettings, type StageSettings } from "./settings.ts";
import { Submission } from "./submission.ts";
import { Tracking } from "./tracking.ts";
import { unionAddress } from "./union-address.ts";
import { UnsentCards } from "./unsent-cards.ts";
import { VendorAccounts } from "./vendor-accounts.ts";
import { VendorApi } from "./vendor-api.ts";

/** What a stage's stack is given. */
export interface PipelineStackProps extends StackProps {
  readonly settings: StageSettings;
}

/** The scorecard pipeline of one stage: the way a card goes, part by part. */
export class PipelineStack extends Stack {
  constructor(scope: Construct, id: string, { settings: given, ...props }: PipelineStackProps) {
    super(scope, id, { description: `Scorecard pipeline, stage ${given.stage}`, ...props });
    const settings = checkSettings(given);
    const unionBaseAddress = unionAddress(this, settings);

    const key = dataKey(this, settings);
    const topic = alarmTopic(this, settings, key);
    const scorecards = scorecardStore(this, settings.keepData, key);
    const mirror = new CourseMirror(this, "Mirror", { settings, unionBaseAddress, key });
    const accounts = new VendorAccounts(this, "Accounts", { settings, key });
    const delivery = new Delivery(this, "Delivery", { settings, unionBaseAddress, scorecards, key });
    new UnsentCards(this, "UnsentCards", { settings, queue: delivery.queue });
    const submission = new Submission(this, "Submission", {
      settings,
      unionBaseAddress,
      scorecards,
      queue: delivery.queue,
      mirror,
    });
    const tracking = new Tracking(this, "Tracking", { settings, scorecards });
    const reading = new CourseReading(this, "Reading", { settings, mirror });

    const members = new MemberReading(this, "Members", { settings, unionBaseAddress });
    const description = new ApiDescription(this, "Description", { settings, accounts: accounts.table });

    const { submitScorecards, validateScorecards, changeDelivery } = submission;
    const { trackScorecards } = tracking;
    const { readCourses } = reading;
    const { readMembers } = members;
    const { api, usagePlans } = new VendorApi(this, "VendorApi", {
      settings,
      authorize: accounts.authorize,
      routes: [
        { method: "GET", path: "Clubs", answeredBy: readCourses },
        { method: "GET", path: "Clubs/{clubId}", answeredBy: readCourses },
        { method: "GET", path: "Clubs/{clubId}/Courses", answeredBy: readCourses },
        { method: "GET", path: "Clubs/{clubId}/Courses/{courseId}", answeredBy: readCourses },
        { method: "GET", path: "Clubs/Golfer", answeredBy: readMembers },
        {
          method: "GET",
          path: "Clubs/Golfer_ByAccessToken",
          answeredBy: readMembers,
          requiredHeader: "Token",
        },
        { method: "POST", path: "Clubs/Members/ExchangedScorecards", answeredBy: submitScorecards },
        { method: "POST", path: "ScorecardExchange", answeredBy: submitScorecards },
        { method: "GET", path: "ScorecardExchange", answeredBy: trackScorecards },
        { method: "GET", path: "ScorecardExchange/{externalId}", answeredBy: trackScorecards },
        { method: "DELETE", path: "ScorecardExchange/{externalId}", answeredBy: changeDelivery },
        { method: "POST", path: "ScorecardExchange/{externalId}/Delivery", answeredBy: changeDelivery },
        { method: "POST", path: "ScorecardExchange/Validate", answeredBy: validateScorecards },
      ],
      openRoutes: [
        { method: "GET", path: "login.aspx", answeredBy: description.describeAccount },
        {
          method: "POST",
          path: "login.aspx",
          answeredBy: description.describeAccount,
          throttling: settings.loginThrottling,
        },
        { method: "GET", path: "openapi.json", answeredBy: description.describeApi },
      ],
    });

    if (settings.outcomeEvents) new OutcomeEvents(this, "OutcomeEvents", { settings, topic, scorecards });
    pipelineDashboard(this, { settings, delivery, api });
    new Monitoring(this, "Monitoring", { settings, topic, api });

    Validations.of(this).acknowledge({
      id: "Serverless-LambdaDLQ",
      reason:
        "Only what a schedule invokes is invoked asynchronously: what one pass of the mirror leaves undone the next one does, and a count that fails three times rings.",
    });

    giveOut(this, {
      BaseAddress: ["Base address for vendors: their paths begin with their API set below it", api.url],
      RestApiId: ["The API", api.restApiId],
      StandardUsagePlanId: ["What most vendors may ask for", usagePlans.standard.usagePlanId],
      TournamentUsagePlanId: ["What tournament systems may ask for", usagePlans.tournament.usagePlanId],
      ScorecardTableName: ["Cards and what became of them", scorecards.tableName],
      AccountTableName: ["Vendor accounts", accounts.table.tableName],
      DeliveryQueueUrl: ["Cards on their way to the exchange", delivery.queue.queueUrl],
      DeadLetterQueueUrl: ["Cards that were given up", delivery.deadLetters.queueUrl],
      DeliveryEventSourceId: [
        "Disabled while delivery is on hold",
        delivery.eventSource.eventSourceMappingId,
      ],
    });
  }
}
