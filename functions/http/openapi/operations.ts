import { courseOperations } from "./course-operations.ts";
import { memberOperations } from "./member-operations.ts";
import { openOperations } from "./open-operations.ts";
import type { Operation } from "./operation.ts";
import { operatorOperations } from "./operator-operations.ts";
import { scorecardOperations } from "./scorecard-operations.ts";
import { tournamentOperations } from "./tournament-operations.ts";
import { webhookOperations } from "./webhook-operations.ts";

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
