import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import type { Construct } from "constructs";

/** Mails at this share of the budget, in percent: of what was spent, and of what the month is going to cost. */
const mails = [
  { notificationType: "ACTUAL", threshold: 80 },
  { notificationType: "FORECASTED", threshold: 100 },
] as const;

/**
 * Has AWS Budgets mail when the AWS account costs more in a month than the setting says. It counts the whole account: costs by tags would be
 * none until somebody activates the tags for billing, and then nobody would be told.
 */
export function addBudget(scope: Construct, usDollars: number, address: string): void {
  new CfnBudget(scope, "MonthlyBudget", {
    budget: {
      budgetType: "COST",
      timeUnit: "MONTHLY",
      budgetLimit: { amount: usDollars, unit: "USD" },
    },
    notificationsWithSubscribers: mails.map((mail) => ({
      notification: { ...mail, comparisonOperator: "GREATER_THAN", thresholdType: "PERCENTAGE" },
      subscribers: [{ subscriptionType: "EMAIL", address }],
    })),
  });
}
