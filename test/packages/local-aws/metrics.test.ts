import { describe, expect, test } from "vitest";
import { type Alarm, alarmType } from "../../../packages/local-aws/metrics/alarms.ts";
import { readEmbeddedMetrics } from "../../../packages/local-aws/metrics/embedded-metrics.ts";
import { createMetricStore } from "../../../packages/local-aws/metrics/metric-store.ts";

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

test("a store gives the values of one metric within a time, in order of time whatever order they came in", () => {
  const store = createMetricStore(0);
  const dimensions = { service: "deliver", vendor: "greens" };
  for (const at of [30, 10, 20, 40]) {
    store.put({ namespace: "cards", name: "Failures", dimensions, value: at / 10, at });
    store.put({ namespace: "cards", name: "Failures", dimensions: {}, value: 100, at });
  }
  const sameDimensions = { vendor: "greens", service: "deliver" };
  const values = (from: number, to: number) =>
    store.values({ namespace: "cards", name: "Failures", dimensions: sameDimensions }, from, to);
  expect(values(0, 100)).toEqual([1, 2, 3, 4]);
  expect(values(20, 30)).toEqual([2, 3]);
  expect(values(20.5, 39.5)).toEqual([3]);
  expect(values(50, 60)).toEqual([]);
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
    const metrics = createMetricStore(0);
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

  test("an alarm over several periods rings only if the value is bad in each of them", async () => {
    const alarm = await alarmOf({ EvaluationPeriods: 2 }, [5]);
    expect(alarm.state(100_000)).toBe("OK");
    const silent = { ComparisonOperator: "LessThanThreshold", TreatMissingData: "breaching" };
    const missed = await alarmOf({ ...silent, Statistic: "SampleCount", EvaluationPeriods: 2 }, [1, 1, 1]);
    expect([missed.state(100_000), missed.state(200_000), missed.state(300_000)]).toEqual([
      "OK",
      "OK",
      "ALARM",
    ]);
  });

  test("an alarm rings if as many of its periods are bad as it says", async () => {
    const once = await alarmOf({ EvaluationPeriods: 4, DatapointsToAlarm: 1 }, [5]);
    expect([once.state(100_000), once.state(300_000), once.state(340_000)]).toEqual(["ALARM", "ALARM", "OK"]);
    const twice = await alarmOf({ EvaluationPeriods: 4, DatapointsToAlarm: 2 }, [5]);
    expect(twice.state(100_000)).toBe("OK");
  });

  test("a period that began before the run is not called silent", async () => {
    const alarm = await alarmOf({ TreatMissingData: "breaching" }, []);
    expect([alarm.state(59_000), alarm.state(61_000)]).toEqual(["INSUFFICIENT_DATA", "ALARM"]);
  });

  test("an alarm with another kind of evaluation is an error", async () => {
    const evaluated = { EvaluateLowSampleCountPercentile: "ignore" };
    await expect(alarmOf(evaluated, [])).rejects.toThrow("EvaluateLowSampleCountPercentile");
  });

  test("an alarm on an expression compares what the expression makes of its metrics", async () => {
    const { MetricName, Namespace, Dimensions, Statistic: Stat, Period, ...decision } = properties;
    const failures = { Metric: { MetricName, Namespace, Dimensions }, Stat, Period };
    const onMath = async (Expression: string) => {
      const Metrics = [
        { Id: "expr_1", Expression },
        { Id: "failures", MetricStat: failures, ReturnData: false },
        { Id: "none", MetricStat: { ...failures, Metric: { MetricName: "None", Namespace: "cards" } } },
      ];
      const store = createMetricStore(0);
      for (const value of [1, 2]) {
        const dimensions = { service: "deliver" };
        store.put({ namespace: "cards", name: "Failures", dimensions, value, at: 90_000 });
      }
      const found: Alarm[] = [];
      const resource = { logicalId: "A", type: "AWS::CloudWatch::Alarm", physicalName: "a", path: "A" };
      const make = alarmType(environment, store, (alarm) => found.push(alarm));
      await make({ ...resource, properties: { ...decision, Metrics } });
      return found[0]?.state(100_000);
    };
    expect(await onMath("IF(FILL(none, 0) > 0, 0, FILL(failures, 0))")).toBe("ALARM");
    expect(await onMath("IF(FILL(none, 1) > 0, 0, failures)")).toBe("OK");
    expect(await onMath("(failures + 1) * 2 - 6 / 2 == 5")).toBe("OK");
    expect(await onMath("none + failures")).toBe("OK");
    await expect(onMath("ANOMALY_DETECTION_BAND(failures)")).rejects.toThrow("ANOMALY_DETECTION_BAND");
    await expect(onMath("failures %")).rejects.toThrow("failures %");
    await expect(onMath("failures failures")).rejects.toThrow("left over");
  });
});
