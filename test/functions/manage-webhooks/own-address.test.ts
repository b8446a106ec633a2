import { expect, test } from "vitest";
import { checkEndpointUrl } from "../../../core/webhooks/post-event.ts";
import { isOwnAddress } from "../../../functions/manage-webhooks/own-address.ts";

const apiId = "a1b2c3d4e5";
const gateway = `${apiId}.execute-api.eu-west-1.amazonaws.com`;
const own = { apiId, hosts: [gateway, "api.scores.example"] };

const isRefused = (url: string, given = own, allowLoopback = false) =>
  isOwnAddress(url, given) || checkEndpointUrl(url, { allowLoopback }) !== undefined;

test.each([
  ["as it is", `https://${gateway}/test/green/Webhooks`],
  ["in upper case", `https://${gateway.toUpperCase()}/test`],
  ["in mixed case", `hTTps://A1b2c3D4e5.Execute-API.eu-west-1.AmazonAWS.com/test`],
  ["with the port of https", `https://${gateway}:443/test`],
  ["with zeros before the port", `https://${gateway}:00443/test`],
  ["with an empty port", `https://${gateway}:/test`],
  ["with another port", `https://${gateway}:8443/test`],
  ["with a dot at its end", `https://${gateway}./test`],
  ["with dots at its end", `https://${gateway}../test`],
  ["with a user name", `https://green@${gateway}/test`],
  ["with another host as user name", `https://scores.example:443@${gateway}/test`],
  ["with backslashes", `https:\\\\${gateway}\\test`],
  ["with a host that is percent-encoded", `https://%61${gateway.slice(1)}/test`],
  ["with a host that is percent-encoded whole", `https://${gateway.replaceAll(".", "%2E")}/test`],
  ["in fullwidth letters", `https://${gateway.replace("a1b2", "ａ１ｂ２")}/test`],
  ["with ideographic full stops", `https://${gateway.replaceAll(".", "。")}/test`],
  ["with mathematical letters", `https://${gateway.replace("execute", "𝐞𝐱𝐞𝐜𝐮𝐭𝐞")}/test`],
  ["with a soft hyphen", `https://${gateway.replace("amazon", "ama\u00adzon")}/test`],
  ["with a zero-width space", `https://${gateway.replace("amazon", "ama\u200bzon")}/test`],
  ["with a line break in it", `https://${gateway.replace("amazon", "ama\nzon")}/test`],
  ["with a tab in it", `https://${gateway.replace("amazon", "ama\tzon")}/test`],
  ["with another stage", `https://${gateway}/production/green/Webhooks`],
  ["without a stage", `https://${gateway}/`],
  ["with an empty segment before the stage", `https://${gateway}//test/green/Webhooks`],
  ["with a query", `https://${gateway}?/test`],
  ["in another region", `https://${apiId}.execute-api.us-east-1.amazonaws.com/test`],
  ["in another partition", `https://${apiId}.execute-api.cn-north-1.amazonaws.com.cn/test`],
  ["of dual-stack", `https://${apiId}.execute-api.eu-west-1.api.aws/test`],
  ["of a VPC endpoint", `https://${apiId}-vpce-0123456789abcdef0.execute-api.eu-west-1.amazonaws.com/test`],
  ["of the custom domain", "https://api.scores.example/green/Webhooks"],
  ["of the custom domain in upper case, with a dot", "https://API.SCORES.EXAMPLE./green/Webhooks"],
  ["of the custom domain in fullwidth letters", "https://ａｐｉ.scores.example/green/Webhooks"],
])("the API's own address is refused %s", (_, url) => {
  expect(isRefused(url)).toBe(true);
});

test.each([
  ["127.0.0.1"],
  ["127.1"],
  ["127.000.000.001"],
  ["0177.0.0.1"],
  ["0x7f.0.0.1"],
  ["0x7f000001"],
  ["2130706433"],
  ["017700000001"],
  ["127.0.0.2"],
  ["１２７.０.０.１"],
  ["127。0。0。1"],
  ["[::1]"],
  ["[0:0:0:0:0:0:0:1]"],
  ["[::ffff:127.0.0.1]"],
  ["[::ffff:7f00:1]"],
  ["[::127.0.0.1]"],
  ["[64:ff9b::7f00:1]"],
  ["localhost"],
  ["LOCALHOST."],
  ["a.localhost"],
  ["0.0.0.0"],
  ["[::]"],
])("the local run's own address is refused as %s", (host) => {
  const local = { apiId: "local", hosts: ["127.0.0.1:3000"] };
  expect(isRefused(`http://${host}:3000/test`, local, true)).toBe(true);
  // On a stage no such address is on the Internet.
  expect(isRefused(`https://${host}/test`)).toBe(true);
});

test("a vendor's own address is taken, even if it looks like the API's", () => {
  for (const url of [
    "https://scores.example/webhooks",
    `https://scores.example/${gateway}`,
    "https://f6g7h8i9j0.execute-api.eu-west-1.amazonaws.com/test",
    "https://api.scores.example.org/",
    "https://test-api.scores.example/",
  ]) {
    expect([url, isRefused(url)]).toEqual([url, false]);
  }
});
