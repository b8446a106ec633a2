/** What API Gateway puts for each of its variables, as long as it usually is. */
const usualValues: Readonly<Record<string, string>> = {
  requestId: "931e181e-6c6c-400c-8014-c661883c9c93",
  "authorizer.principalId": "tournament-system",
  httpMethod: "POST",
  resourcePath: "/{apiset}/ScorecardExchange",
  status: "201",
  responseLength: "2345",
  responseLatency: "35",
  "error.responseType": "-",
};

/**
 * Bytes of a line of the access log.
 *
 * @param resources of the template
 * @throws Error if its format has a variable of unknown length
 */
export function accessLogLineBytes(
  resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: unknown }>>,
): number {
  const stage = Object.values(resources).find(({ Type }) => Type === "AWS::ApiGateway::Stage");
  const { AccessLogSetting } = (stage?.Properties ?? {}) as { AccessLogSetting?: { Format: string } };
  const line = (AccessLogSetting?.Format ?? "").replace(/\$context\.([\w.]+)/g, (_, name: string) => {
    const value = usualValues[name];
    if (value === undefined) throw new Error(`How long is $context.${name} usually?`);
    return value;
  });
  return Buffer.byteLength(line);
}
