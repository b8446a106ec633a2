import { scorecardOperations } from "./cards.ts";
import { courseOperations } from "./courses.ts";
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
  ...scorecardOperations,
  ...tournamentOperations,
  ...webhookOperations,
  ...operatorOperations,
  ...openOperations,
];
