import { setTimeout as delay } from "node:timers/promises";
import { CardState } from "@scorecard-pipeline/scorecards-client";
import type { StandIn } from "@scorecard-pipeline/stand-in";
import type { DemoAccount } from "../pipeline/demo-accounts.ts";
import { fillMirror } from "../pipeline/fill-mirror.ts";
import type { Adaptation } from "./adapt-stack.ts";
import { type DeployDependencies, deployAdapted, lastLines, type ProgramEnd } from "./deploy-adapted.ts";

/** The steps of a trial, and the union that its stage uses. */
export interface TrialDependencies extends DeployDependencies {
  /** Prepares the account for deployments by the CDK. */
  readonly bootstrap: () => Promise<ProgramEnd>;
  /** Compares the deployed stack with the code. */
  readonly diff: (adaptation: Adaptation) => Promise<ProgramEnd>;
  /** Removes the stack. */
  readonly destroy: () => Promise<ProgramEnd>;
  /** The resources that are left after the stack was removed, a line each. */
  readonly leftovers: () => Promise<readonly string[]>;
  /** Runs `scorecards` on the stage that was deployed. */
  readonly scorecards: (
    parameters: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ) => Promise<ProgramEnd>;
  /** Invokes a function of the stage, named as its folder, and returns what it returns. */
  readonly invoke: (functionName: string, event: unknown) => Promise<unknown>;
  /** Addresses at which the API may be after the last deployment, best first. */
  readonly apiAddresses: () => Promise<readonly string[]>;
  /** The union that the stack uses; it has the vendor's account and the mirror's. */
  readonly standIn: StandIn;
  readonly vendor: DemoAccount;
  /** The union's account of the mirror. */
  readonly mirror: Pick<DemoAccount, "username" | "password">;
  /** Writes cards to a file for `scorecards submit`, and returns its path. @param round distinguishes the files */
  readonly writeCards: (round: string) => Promise<{ readonly path: string; readonly externalId: string }>;
}

/** How a step of a trial ended. */
export interface StepResult {
  readonly step: string;
  readonly result: "ok" | "skipped" | "failed";
  /** The observed result, or why the step was skipped or failed. */
  readonly detail: string;
}

/** A trial's limits. */
export interface TrialOptions {
  /** Whether the stack stays, to be looked at. */
  readonly keep: boolean;
  /** Longest time to wait for the state of a card. */
  readonly patienceSeconds: number;
}

const pollMilliseconds = 1_000;

/** Reads the one line of JSON that a `scorecards` command prints. */
function jsonOf({ code, stdout, stderr }: ProgramEnd) {
  // biome-ignore lint/suspicious/noExplicitAny: the project's own command; what is missing fails the step
  if (stdout.trim() !== "") return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as any;
  throw new Error(`exit code ${code}. ${lastLines(stderr)}`);
}

function succeeded(end: ProgramEnd): ProgramEnd {
  if (end.code === 0) return end;
  throw new Error(`exit code ${end.code}. ${lastLines(`${end.stdout}\n${end.stderr}`)}`);
}

/**
 * Deploys the test stage, has cards delivered through it, and removes it: smoke test, hold and release, an outage of the
 * union with a redrive. After a step that failed, only the removal is left to do.
 *
 * @param report called with each result as soon as it is known
 */
export async function runTrial(
  trial: TrialDependencies,
  { keep, patienceSeconds }: TrialOptions,
  report: (result: StepResult) => void,
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  const tell = (step: string, result: StepResult["result"], detail: string) => {
    results.push({ step, result, detail });
    report({ step, result, detail });
  };
  const hasFailed = () => results.some(({ result }) => result === "failed");
  async function step(name: string, work: () => Promise<string>): Promise<void> {
    if (hasFailed()) return;
    try {
      tell(name, "ok", await work());
    } catch (error) {
      tell(name, "failed", error instanceof Error ? error.message : String(error));
    }
  }

  const { scorecards, standIn, vendor } = trial;
  const skipped = (what: string, reason: string) => tell(what, "skipped", reason);
  let adaptation: Adaptation = { leaveOut: [], withoutApiKeys: false, withoutStreaming: false };
  let isDeployed = false;
  let api = "";
  const asVendor = { SCORECARDS_USERNAME: vendor.username, SCORECARDS_PASSWORD: "" };
  const stateOf = async (externalId: string) => {
    const read = await scorecards(["status", externalId, "--vendor", vendor.apiSet, "--json"]);
    return String(jsonOf(read)[0]?.state);
  };
  async function reached(externalId: string, wanted: string): Promise<void> {
    const deadline = performance.now() + patienceSeconds * 1000;
    for (;;) {
      const state = await stateOf(externalId);
      if (state === wanted) return;
      if (performance.now() > deadline) {
        throw new Error(`card ${externalId} is ${state} after ${patienceSeconds} s, not ${wanted}`);
      }
      await delay(pollMilliseconds);
    }
  }
  const submit = async (round: string) => {
    const { path, externalId } = await trial.writeCards(round);
    succeeded(await scorecards(["submit", path, "--api", api], asVendor));
    return externalId;
  };
  const posts = (externalId: string) =>
    standIn.received.filter(({ card }) => (card as { ExternalID?: string }).ExternalID === externalId).length;

  await step("bootstrap", async () => {
    succeeded(await trial.bootstrap());
    return "the CDK can deploy";
  });
  await step("deploy", async () => {
    isDeployed = true;
    adaptation = await deployAdapted(trial, adaptation, skipped);
    return `the test stage, with the union at ${standIn.address}`;
  });
  await step("account mirror", async () => {
    const { username, password } = trial.mirror;
    succeeded(
      await scorecards(["account", "mirror", username], {
        SCORECARDS_UNION_PASSWORD: password,
      }),
    );
    return `the stage reads clubs and courses as ${username}`;
  });
  await step("mirror", async () => {
    let said = "";
    const milliseconds = patienceSeconds * 1000;
    await fillMirror(trial, milliseconds, (text) => {
      said = text;
    });
    const { clubs } = jsonOf(await scorecards(["mirror", "--json"]));
    if (clubs !== standIn.clubs.length)
      throw new Error(`${clubs} of ${standIn.clubs.length} clubs are mirrored: ${said}`);
    return said;
  });
  await step("account add", async () => {
    const union = { SCORECARDS_UNION_PASSWORD: vendor.password };
    const added = jsonOf(
      succeeded(await scorecards(["account", "add", vendor.username, "--json"], union)),
    ) as {
      password: string;
    };
    asVendor.SCORECARDS_PASSWORD = added.password;
    api = await findApi(await trial.apiAddresses(), vendor.apiSet);
    return `${vendor.username}; the API is at ${api}`;
  });
  const deployAgain = async (changes: Partial<Adaptation>) => {
    adaptation = await deployAdapted(trial, { ...adaptation, ...changes }, skipped);
    // An emulator may give an API another address if its body changes.
    api = await findApi(await trial.apiAddresses(), vendor.apiSet);
  };
  await step("credentials", async () => {
    let answer = await askForClubs(api, vendor.apiSet, asVendor);
    if (answer.status === 403) {
      skipped("usage plans", `the endpoint answers 403 to an account with a plan: ${answer.text}`);
      await deployAgain({ withoutApiKeys: true });
      answer = await askForClubs(api, vendor.apiSet, asVendor);
    }
    if (answer.status >= 500) {
      skipped("streamed responses", `the endpoint answers ${answer.status}: ${answer.text}`);
      await deployAgain({ withoutStreaming: true });
      answer = await askForClubs(api, vendor.apiSet, asVendor);
    }
    if (answer.status !== 200) throw new Error(`GET Clubs is answered with ${answer.status}: ${answer.text}`);
    return "the account reads clubs; nobody does without credentials";
  });
  await step("diff", async () => {
    const { stdout, stderr } = succeeded(await trial.diff(adaptation));
    if (/stacks with differences: 0/.test(stdout + stderr)) return "the stack is what the code says";
    throw new Error(`the stack differs from the code right after its deployment:\n${stdout}`);
  });
  await step("smoke", async () => {
    const { good, seconds } = jsonOf(
      succeeded(
        await scorecards(["smoke", "--api", api, "--timeout", String(patienceSeconds), "--json"], asVendor),
      ),
    );
    return `the good card is ${good.state} after ${seconds} s, the bad one is refused`;
  });
  await step("hold, release", async () => {
    succeeded(await scorecards(["hold"]));
    const externalId = await submit("held");
    const { delivery, queue } = jsonOf(await scorecards(["overview", "--json"]));
    const state = await stateOf(externalId);
    if (!delivery.held || queue.waiting === 0 || state !== CardState.queued || posts(externalId) > 0) {
      const seen = `held: ${delivery.held}, waiting: ${queue.waiting}, card: ${state}, posts: ${posts(externalId)}`;
      throw new Error(`delivery is not held. ${seen}`);
    }
    succeeded(await scorecards(["release"]));
    await reached(externalId, CardState.delivered);
    return `a card waited, and was posted ${times(posts(externalId))} after the release`;
  });
  await step("outage, redrive", async () => {
    standIn.faults.outage = true;
    const externalId = await submit("outage");
    await reached(externalId, CardState.undelivered);
    const { breakers } = jsonOf(await scorecards(["overview", "--json"]));
    standIn.faults.outage = false;
    const { sentOn } = jsonOf(succeeded(await scorecards(["redrive", "--json"])));
    if (sentOn === 0) throw new Error("redrive sent no card");
    await reached(externalId, CardState.delivered);
    const why = breakers.map(({ message }: { message: string }) => message).join(", ");
    return `given up (${why || "no breaker was open"}); after the redrive posted ${times(posts(externalId))}`;
  });
  await step("account remove", async () => {
    const disabled = await scorecards(["account", "disable", vendor.username]);
    // Not a failure of the step: the account is disabled, but the endpoint cannot empty the authorizer's cache.
    if (disabled.stderr.includes("is stored")) skipped("authorizer's cache", lastLines(disabled.stderr));
    else succeeded(disabled);
    succeeded(await scorecards(["account", "remove", vendor.username]));
    return vendor.username;
  });

  standIn.faults.outage = false;
  if (keep && isDeployed) tell("destroy", "skipped", "the stack stays, because of --keep");
  else if (isDeployed) {
    // Also after a failure: nothing of a trial should stay.
    const end = await trial.destroy();
    if (end.code === 0) {
      const left = await trial.leftovers();
      tell("destroy", "ok", left.length === 0 ? "nothing is left" : `left: ${left.join("; ")}`);
    } else tell("destroy", "failed", lastLines(`${end.stdout}\n${end.stderr}`));
  }
  return results;
}

const times = (count: number) => (count === 1 ? "once" : `${count} times`);

async function askForClubs(api: string, apiSet: string, account?: Readonly<Record<string, string>>) {
  const { SCORECARDS_USERNAME: username, SCORECARDS_PASSWORD: password } = account ?? {};
  const basic = Buffer.from(`${username}:${password}`).toString("base64");
  const headers = account === undefined ? undefined : { Authorization: `Basic ${basic}` };
  const response = await fetch(`${api}/${apiSet}/Clubs`, {
    ...(headers && { headers }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = (await response.text()).slice(0, 300);
  return { status: response.status, text };
}

/** The first address that answers 401 without credentials, as the API does. */
async function findApi(addresses: readonly string[], apiSet: string): Promise<string> {
  const seen: string[] = [];
  for (const address of addresses) {
    const answer = await askForClubs(address, apiSet).catch((error: Error) => ({
      status: 0,
      text: error.message,
    }));
    if (answer.status === 401) return address;
    seen.push(`${address} ${answer.status === 0 ? answer.text : `answers ${answer.status}`}`);
  }
  throw new Error(`the API is not found: ${seen.join("; ")}`);
}
