import { Command, Option } from "commander";
import { eventTypes } from "../../core/webhooks/endpoint.ts";
import { runSubcommand, vendorCommand } from "../base/subcommand.ts";
import type {
  AddWebhookOptions,
  ChangeWebhookOptions,
  ReplayWebhookOptions,
  WebhookOptions,
} from "./webhook-commands.ts";

const commands = () => import("./webhook-commands.ts");

const operators = () => import("./operator-webhooks.ts");
const ofVendorOption = () =>
  new Option("--vendor <API set>", "as the operator, with AWS credentials: endpoints of this vendor");

/** A subcommand about one endpoint, which the vendor or the operator runs. */
function ofAnyEndpoint(
  name: string,
  description: string,
  own: "removeWebhook" | "rotateWebhook",
  vendors: "removeVendorWebhook" | "rotateVendorWebhook",
): Command {
  return vendorCommand(name, description)
    .argument("<id>")
    .addOption(ofVendorOption())
    .action((id: string, { vendor, ...options }: WebhookOptions & { vendor?: string }) =>
      runSubcommand(async (terminal) =>
        vendor === undefined
          ? (await commands())[own](id, options, terminal)
          : (await operators())[vendors](id, { ...options, vendor }, terminal),
      ),
    );
}

const typesOption = (description: string) => new Option("--types <type...>", description).choices(eventTypes);

/** A subcommand about one endpoint. */
function ofEndpoint(name: string, description: string, work: "testWebhook" | "listWebhookAttempts"): Command {
  return vendorCommand(name, description)
    .argument("<id>")
    .action((id: string, options: WebhookOptions) =>
      runSubcommand(async (terminal) => (await commands())[work](id, options, terminal)),
    );
}

/** `scorecards webhook` with its subcommands. */
export function webhookProgram(): Command {
  const add = vendorCommand("add", "Makes an endpoint and shows its secret, this once")
    .argument("<url>")
    .option("--role-arn <arn>", "makes it an SQS queue of your own AWS account: the role that may send to it")
    .addOption(typesOption("the events that it gets; by default all"))
    .option("--header <header...>", 'headers of your own, as "Name: value"')
    .action((url: string, options: AddWebhookOptions) =>
      runSubcommand(async (terminal) => (await commands()).addWebhook(url, options, terminal)),
    );
  const queueRole = vendorCommand(
    "queue-role",
    "Prints the policies of the role that may send to a queue of your own AWS account",
  )
    .argument("<url>", "of the queue")
    .action((url: string, options: WebhookOptions) =>
      runSubcommand(async (terminal) => (await commands()).showQueueRole(url, options, terminal)),
    );
  const list = vendorCommand("list", "Lists the endpoints with their state, without secrets")
    .addOption(ofVendorOption())
    .action(({ vendor, ...options }: WebhookOptions & { vendor?: string }) =>
      runSubcommand(async (terminal) =>
        vendor === undefined
          ? (await commands()).listWebhooks(options, terminal)
          : (await operators()).listVendorWebhooks({ ...options, vendor }, terminal),
      ),
    );
  const change = vendorCommand("change", "Changes an endpoint; what failed is tried again at once")
    .argument("<id>")
    .option("--url <address>", "another address")
    .option("--role-arn <arn>", "another role of a queue")
    .addOption(typesOption("the events that it gets from now on"))
    .option("--header <header...>", 'headers of your own from now on, as "Name: value"')
    .addOption(new Option("--enable", "turn it on").conflicts("disable"))
    .option("--disable", "turn it off; its events are dropped, and a queue's wait")
    .action((id: string, options: ChangeWebhookOptions) =>
      runSubcommand(async (terminal) => (await commands()).changeWebhook(id, options, terminal)),
    );
  const replay = vendorCommand("replay", "Sends outcomes again, by default those of the last 24 hours")
    .argument("<id>")
    .option("--from <time>", "outcomes from this time on, as 2026-07-04T12:00:00Z")
    .option("--to <time>", "outcomes before this time")
    .addOption(typesOption("only these events"))
    .option("--preview", "only counts the cards")
    .action((id: string, options: ReplayWebhookOptions) =>
      runSubcommand(async (terminal) => (await commands()).replayWebhook(id, options, terminal)),
    );
  const resend = vendorCommand("resend", "Sends the event of an attempt once more")
    .argument("<id>")
    .argument("<attempt>", "its ID, which attempts shows")
    .action((id: string, attempt: string, options: WebhookOptions) =>
      runSubcommand(async (terminal) =>
        (await commands()).resendWebhookEvent(id, attempt, options, terminal),
      ),
    );
  return new Command("webhook")
    .description("Manages webhook endpoints, which are told what became of cards")
    .addCommand(add)
    .addCommand(queueRole)
    .addCommand(list)
    .addCommand(change)
    .addCommand(
      ofAnyEndpoint(
        "remove",
        "Removes an endpoint, with the events that wait for it",
        "removeWebhook",
        "removeVendorWebhook",
      ),
    )
    .addCommand(ofEndpoint("test", "Posts a test event now, and shows the endpoint's answer", "testWebhook"))
    .addCommand(
      ofAnyEndpoint(
        "rotate",
        "Makes another secret and shows it, this once; for a day both are valid",
        "rotateWebhook",
        "rotateVendorWebhook",
      ),
    )
    .addCommand(
      ofEndpoint("attempts", "Lists the last posts to the endpoint, the newest first", "listWebhookAttempts"),
    )
    .addCommand(resend)
    .addCommand(replay);
}
