import * as z from "zod";
import type { Datum } from "./metric-store.ts";

const lineSchema = z.looseObject({
  _aws: z.object({
    Timestamp: z.number(),
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});

const valuesSchema = z.union([z.number().transform((value) => [value]), z.array(z.number())]);

/**
 * The metrics in a log line of CloudWatch's embedded metric format; none in any other line. A metric that lacks its
 * value or one of its dimensions is left out, as CloudWatch does.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function readEmbeddedMetrics(text: string): Datum[] {
  if (!text.includes('"_aws"')) return [];
  const line = lineSchema.safeParse(parsed(text)).data;
  if (line === undefined) return [];
  const { Timestamp: at, CloudWatchMetrics } = line._aws;
  return CloudWatchMetrics.flatMap(({ Namespace: namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = Object.fromEntries(names.map((name) => [name, line[name]]));
      if (Object.values(dimensions).some((value) => typeof value !== "string")) return [];
      return Metrics.flatMap(({ Name: name }) =>
        (valuesSchema.safeParse(line[name]).data ?? []).map((value) => ({
          namespace,
          name,
          dimensions: dimensions as Record<string, string>,
          value,
          at,
        })),
      );
    }),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
