import { curlExample, findNote } from "../../api/document/curl-example.ts";
import type { ShownOperation } from "../../api/document/shown-operations.ts";
import type { Account } from "../../core/accounts/account.ts";
import { type RequestLimits, requestsText } from "./account-page.ts";

interface Deployment {
  /** Base address, with the stage. */
  readonly base: string;
  readonly stage: string;
  /** The union's. */
  readonly timeZone: string;
}

/** What the page of an account shows, as JSON for the portal. */
export function accountDocument(
  account: Account,
  { base, stage, timeZone }: Deployment,
  limits: RequestLimits,
  operations: readonly ShownOperation[],
) {
  const { username, apiSet, resources } = account;
  const granted = operations.filter(({ resource }) => resource !== undefined && resources.includes(resource));
  return {
    username,
    apiSet,
    stage,
    base,
    timeZone,
    resources,
    requests: requestsText(account, limits),
    operations: granted.map((operation) => {
      const { resource, method, path, summary, description } = operation;
      const note = findNote(operation);
      return {
        resource,
        method: method.toUpperCase(),
        path: path.replace("{apiset}", apiSet),
        summary,
        description,
        example: curlExample(operation, { base, username, apiSet }),
        ...(note !== undefined && { note }),
      };
    }),
  };
}
