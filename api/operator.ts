import { jsonResponse, type Operation, requestOf } from "./operation.ts";
import { schemaOf } from "./schema.ts";

/** Operations for accounts of operators. */
export const operatorOperations: readonly Operation[] = [
  {
    ...requestOf("getOverview"),
    summary: "The pipeline at a glance",
    description:
      "Whether cards are delivered, what waits, all vendors' cards today, open circuit breakers, the mirror's age and the alarms that ring.",
    responses: { 200: jsonResponse("The overview.", schemaOf("Overview")) },
  },
];
