import { activityOperations } from "./activity.ts";
import { cardOperations, submissionOperations } from "./cards.ts";
import { courseOperations } from "./courses.ts";
import { eventOperations } from "./events.ts";
import { memberOperations } from "./members.ts";
import { openOperations } from "./open.ts";
import type { Operation } from "./operation.ts";
import { operatorOperations } from "./operator.ts";
import { tournamentOperations } from "./tournaments.ts";
import { webhookOperations } from "./webhooks.ts";

/** Every operation of the API. */
export const operations: readonly Operation[] = [
  ...courseOperations,
  ...memberOperations,
  ...submissionOperations,
  ...activityOperations,
  ...eventOperations,
  ...cardOperations,
  ...tournamentOperations,
  ...webhookOperations,
  ...operatorOperations,
  ...openOperations,
];
