import { expect, test } from "vitest";
import { createSecrets } from "../../../local/aws/secrets.ts";

const secrets = createSecrets({
  region: "eu-north-1",
  accountId: "000000000000",
  partition: "aws",
  stackName: "any",
});

test.each(["RotateSecret", "constructor"])(
  "%s, an operation that it does not have, is refused by its name",
  (name) => {
    expect(() => secrets.operate(name, {})).toThrow(`have no ${name}`);
  },
);
