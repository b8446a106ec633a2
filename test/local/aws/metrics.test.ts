import { describe, expect, test } from "vitest";
import { type Alarm, alarmType } from "../../../local/aws/metrics/alarms.ts";
import { readEmbeddedMetrics } from "../../../local/aws/metrics/embedded-metrics.ts";
import { createMetricStore } from "../../../local/aws/metrics/metric-store.ts";

const line = (change: object = {}) =>
  JSON.stringify({
    _aws: {
      Timestamp: 1_000,
      CloudWatchMetrics: [
        {
          Namespace: "cards",
          Dimensions: [["service"], ["service", "apiSet"]],
          Metrics: [{ Name: "Latency", Unit: "Milliseconds" }, { Name: "Failures" }],
        },
      ],
    },
    service: "deliver",
    apiSet: "green",
    Latency: [12, 14],
    Failures: 0,
    ...change,
  });

describe("a line of embedded metrics", () => {
  test("a line of embedded metrics gives each value in each set of dimensions", () => {
    const data = readEmbeddedMetrics(line());
    expect(data).toHaveLength(6);
    expect(data).toContainEqual({
      namespace: "cards",
      name: "Latency",
      dimensions: { service: "deliver", apiSet: "green" },
      value: 14,
      at: 1_000,
    });
  });

  test("a line of embedded metrics gives nothing for a missing dimension or value", () => {
    expect(readEmbeddedMetrics(line({ apiSet: undefined })).map(({ dimensions }) => dimensions)).toEqual(
      Array.from({ length: 3 }, () => ({ service: "deliver" })),
    );
    expect(readEmbeddedMetrics(line({ Failures: "none" }))).toHaveLength(4);
  });

  test.each(["", "not JSON", '{"message":"a log line"}', '{"_aws":1}'])(
    "a line without embedded metrics gives nothing: %s",
    (text) => {
      expect(readEmbeddedMetrics(text)).toEqual([]);
    },
  );
});

describe("an alarm of the template", () => {
  const environment = { region: "eu-north-1", accountId: "1", partition: "aws", stackName: "cards" };
  const properties = {
    AlarmDescription: "Too many",
    Namespace: "cards",
    MetricName: "Failures",
    Dimensions: [{ Name: "service", Value: "deliver" }],
    Statistic: "Sum",
    Period: 60,
    EvaluationPeriods: 1,
    Threshold: 3,
    ComparisonOperator: "GreaterThanOrEqualToThreshold",
    TreatMissingData: "notBreaching",
  };

  async function alarmOf(change: object, values: readonly number[]): Promise<Alarm> {
    const metrics = createMetricStore();
    for (const value of values) {
      metrics.put({
        namespace: "cards",
        name: "Failures",
        dimensions: { service: "deliver" },
        value,
        at: 90_000,
      });
    }
    metrics.put({ namespace: "cards", name: "Failures", dimensions: {}, value: 100, at: 90_000 });
    let found: Alarm | undefined;
    await alarmType(environment, metrics, (alarm) => {
      found = alarm;
    })({
      logicalId: "A",
      type: "AWS::CloudWatch::Alarm",
      physicalName: "a",
      path: "A",
      properties: { ...properties, ...change },
    });
    if (found === undefined) throw new Error("The alarm was not found.");
    return found;
  }

  test.each<[object, number[], string]>([
    [{}, [1, 1], "OK"],
    [{}, [1, 2], "ALARM"],
    [{ Statistic: "Average" }, [1, 4], "OK"],
    [{ Statistic: "Maximum" }, [1, 3], "ALARM"],
    [{ Statistic: "Minimum" }, [1, 3], "OK"],
    [{ Statistic: "SampleCount" }, [0, 0, 0], "ALARM"],
    [{ ComparisonOperator: "GreaterThanThreshold" }, [3], "OK"],
    [{ ComparisonOperator: "LessThanThreshold" }, [2], "ALARM"],
    [{ ComparisonOperator: "LessThanOrEqualToThreshold" }, [4], "OK"],
    [{}, [], "OK"],
    [{ TreatMissingData: "breaching" }, [], "ALARM"],
    [{ TreatMissingData: undefined }, [], "INSUFFICIENT_DATA"],
  ])("with %j is, after %j, %s", async (change, values, state) => {
    expect((await alarmOf(change, values)).state(100_000)).toBe(state);
  });

  test("an alarm ignores values that are older than its period", async () => {
    expect((await alarmOf({}, [5])).state(90_000 + 60_001)).toBe("OK");
  });

  test("an alarm with another kind of evaluation is an error", async () => {
    await expect(alarmOf({ EvaluationPeriods: 3 }, [])).rejects.toThrow("EvaluationPeriods");
  });
});
