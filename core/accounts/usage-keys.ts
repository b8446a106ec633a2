import { randomBytes } from "node:crypto";
import {
  type APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  GetApiKeysCommand,
  NotFoundException,
} from "@aws-sdk/client-api-gateway";
import type { AccountUsage } from "./account.ts";

/** 40 characters; API Gateway wants 20 to 128, letters and digits. */
const keyBytes = 20;

/** The keys by which API Gateway counts each account's requests. They grant no access: only the authorizer sends them. */
export type UsageKeys = ReturnType<typeof usageKeys>;

/** The keys of an API Gateway. */
export function usageKeys(client: APIGatewayClient) {
  /** Deletes a key, if it exists. */
  async function remove(keyId: string): Promise<void> {
    await client.send(new DeleteApiKeyCommand({ apiKey: keyId })).catch((error: unknown) => {
      if (!(error instanceof NotFoundException)) throw error;
    });
  }

  /** Deletes every key of a name. */
  async function removeNamed(name: string): Promise<void> {
    const { items } = await client.send(new GetApiKeysCommand({ nameQuery: name }));
    for (const { id, name: found } of items ?? []) {
      // API Gateway also returns keys whose names only begin with this one.
      if (found === name && id !== undefined) await remove(id);
    }
  }

  return {
    remove,
    removeNamed,
    /** Makes a key of a usage plan, in place of any key of the same name. @param planId API Gateway's id of the plan */
    async create(name: string, plan: string, planId: string): Promise<AccountUsage> {
      await removeNamed(name);
      const key = randomBytes(keyBytes).toString("hex");
      const { id: keyId = "" } = await client.send(
        new CreateApiKeyCommand({ name, value: key, enabled: true }),
      );
      await client.send(new CreateUsagePlanKeyCommand({ usagePlanId: planId, keyId, keyType: "API_KEY" }));
      return { plan, key, keyId };
    },
  };
}
