import {
  CreateSecretCommand,
  InvalidRequestException,
  ResourceExistsException,
  RestoreSecretCommand,
  type SecretsManagerClient,
  UpdateSecretCommand,
} from "@aws-sdk/client-secrets-manager";
import { expect, test } from "vitest";
import { putUnionAccount } from "../../../core/union/union-secrets.ts";

const name = "scorecards/test/vendor/greens-app";
const account = { username: "greens-app", password: "new", unionApiSet: "greens-app", token: "" };

/** A Secrets Manager with one secret that is scheduled for deletion. @param refused thrown when it is created again */
function withDeletedSecret(refused: Error) {
  const secret = { isDeleted: true, text: "old" };
  const send = async (command: object) => {
    if (command instanceof CreateSecretCommand) throw refused;
    if (command instanceof RestoreSecretCommand) secret.isDeleted = false;
    if (command instanceof UpdateSecretCommand) {
      if (secret.isDeleted)
        throw new InvalidRequestException({ message: "marked for deletion", $metadata: {} });
      secret.text = command.input.SecretString ?? "";
    }
    return {};
  };
  return { client: { send } as unknown as SecretsManagerClient, secret };
}

test.each([
  ["AWS", new InvalidRequestException({ message: "already scheduled for deletion", $metadata: {} })],
  ["an emulator", new ResourceExistsException({ message: "already exists", $metadata: {} })],
])(
  "a deleted account's secret is restored and replaced, as %s refuses to create it again",
  async (_, refused) => {
    const { client, secret } = withDeletedSecret(refused);
    await putUnionAccount(client, name, "alias/scorecards-test", account);
    expect(secret.isDeleted).toBe(false);
    expect(JSON.parse(secret.text)).toMatchObject({ username: "greens-app", password: "new" });
  },
);

test("an error that says nothing about a secret of the same name is thrown", async () => {
  const { client, secret } = withDeletedSecret(new Error("no network"));
  await expect(putUnionAccount(client, name, "alias/scorecards-test", account)).rejects.toThrow("no network");
  expect(secret.text).toBe("old");
});
