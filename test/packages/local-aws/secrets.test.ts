import { expect, test } from "vitest";
import { createSecrets } from "../../../packages/local-aws/secrets.ts";

const secrets = createSecrets({
  region: "eu-north-1",
  accountId: "000000000000",
  partition: "aws",
  stackName: "any",
});

test.each(["RotateSecret", "constructor"])(
  "%s, an unsupported operation, is refused with an error that names it",
  (name) => {
    expect(() => secrets.operate(name, {})).toThrow(`does not support ${name}`);
  },
);
