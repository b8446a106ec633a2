import { expect, test } from "vitest";
import { checkSettings } from "../../lib/check-settings.ts";
import { settings } from "../../lib/settings.ts";
import { templateOf } from "../synthesized-stack.ts";

const alarms = { ...settings.test.alarms, address: "greenkeeper@scorecards.example" };

test("somebody is mailed at four fifths of the month's budget, and when the month is going to cost more", async () => {
  const [budget, ...others] = Object.values(
    (await templateOf({ ...settings.test, alarms, monthlyBudgetUsDollars: 400 })).findResources(
      "AWS::Budgets::Budget",
    ),
  );
  expect(others).toEqual([]);
  expect(budget?.Properties.Budget).toEqual({
    BudgetType: "COST",
    TimeUnit: "MONTHLY",
    BudgetLimit: { Amount: 400, Unit: "USD" },
  });
  const mails = budget?.Properties.NotificationsWithSubscribers;
  expect(mails.map(({ Notification }: never) => Notification)).toEqual([
    {
      NotificationType: "ACTUAL",
      Threshold: 80,
      ThresholdType: "PERCENTAGE",
      ComparisonOperator: "GREATER_THAN",
    },
    {
      NotificationType: "FORECASTED",
      Threshold: 100,
      ThresholdType: "PERCENTAGE",
      ComparisonOperator: "GREATER_THAN",
    },
  ]);
  for (const { Subscribers } of mails) {
    expect(Subscribers).toEqual([{ SubscriptionType: "EMAIL", Address: alarms.address }]);
  }
});

test("without the setting there is no budget, and a wrong one is named", async () => {
  (await templateOf(settings.test)).resourceCountIs("AWS::Budgets::Budget", 0);
  expect(() => checkSettings({ ...settings.test, alarms, monthlyBudgetUsDollars: 0 })).toThrow(
    "monthlyBudgetUsDollars: ",
  );
});
