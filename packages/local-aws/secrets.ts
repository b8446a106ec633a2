import { createHash, randomBytes, randomUUID } from "node:crypto";
import * as z from "zod";
import { type AwsEnvironment, arn } from "./base/environment.ts";
import { jsonEndpoint, ServiceError } from "./base/json-endpoint.ts";
import { type LoopbackServer, startLoopbackServer } from "./base/loopback-server.ts";
import type { ResourceType } from "./base/resource-type.ts";

interface Secret {
  readonly name: string;
  readonly arn: string;
  readonly created: number;
  /** Encryption key; undefined for AWS's own. */
  key: string | undefined;
  versionId: string;
  value: string | undefined;
  /** Whether it is scheduled for deletion. */
  isDeleted: boolean;
}

/** The secrets of a run, by name. */
export interface Secrets {
  /** Runs an operation of Secrets Manager on a request in its JSON protocol. */
  readonly operate: (operation: string, request: unknown) => object;
  /** Creates a secret, or gives an existing one a new value and keeps its key; returns its ARN. */
  readonly put: (name: string, value: string | undefined, key?: string) => string;
}

const idSchema = z.object({ SecretId: z.string() });
const valueSchema = z.object({ SecretString: z.string(), KmsKeyId: z.string().optional() });
const deletionSchema = z.object({ ForceDeleteWithoutRecovery: z.boolean().default(false) });
const newSchema = z.object({
  Name: z.string(),
  SecretString: z.string().optional(),
  KmsKeyId: z.string().optional(),
});

/** The secrets by name, and how operations find and write them. */
function createStore(environment: AwsEnvironment) {
  const secrets = new Map<string, Secret>();

  const findAny = ({ SecretId: id }: { SecretId: string }): Secret => {
    const found = secrets.get(id) ?? [...secrets.values()].find((secret) => secret.arn === id);
    if (found === undefined) {
      throw new ServiceError("ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
    }
    return found;
  };

  const find = (id: { SecretId: string }): Secret => {
    const found = findAny(id);
    if (found.isDeleted) {
      const why = "You can't perform this operation on the secret because it was marked for deletion.";
      throw new ServiceError("InvalidRequestException", why);
    }
    return found;
  };

  const put = (name: string, value: string | undefined, key?: string): string => {
    const known = secrets.get(name);
    if (known !== undefined) {
      known.value = value;
      known.versionId = randomUUID();
      return known.arn;
    }
    // AWS adds six random characters to the name; here they are the same in every run.
    const suffix = createHash("sha256").update(name).digest("hex").slice(0, 6);
    const secretArn = arn(environment, "secretsmanager", `secret:${name}-${suffix}`);
    const created = Date.now() / 1000;
    const versionId = randomUUID();
    secrets.set(name, { name, arn: secretArn, created, key, versionId, value, isDeleted: false });
    return secretArn;
  };

  return { secrets, findAny, find, put };
}

type Store = ReturnType<typeof createStore>;
type Operations = Readonly<Record<string, (request: unknown) => object>>;

const summary = (secret: Secret): object => ({
  ARN: secret.arn,
  Name: secret.name,
  CreatedDate: secret.created,
});

const readOperations = ({ find }: Store): Operations => ({
  GetSecretValue(request) {
    const secret = find(idSchema.parse(request));
    if (secret.value === undefined) {
      const missing = "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT";
      throw new ServiceError("ResourceNotFoundException", missing);
    }
    const { value, versionId } = secret;
    return { ...summary(secret), SecretString: value, VersionId: versionId, VersionStages: ["AWSCURRENT"] };
  },
  DescribeSecret: (request) => {
    const secret = find(idSchema.parse(request));
    return {
      ...summary(secret),
      ...(secret.key !== undefined && { KmsKeyId: secret.key }),
      VersionIdsToStages: { [secret.versionId]: ["AWSCURRENT"] },
    };
  },
});

const writeOperations = ({ secrets, findAny, find, put }: Store): Operations => ({
  CreateSecret(request) {
    const { Name: name, SecretString: value, KmsKeyId: key } = newSchema.parse(request);
    if (secrets.get(name)?.isDeleted) {
      const why =
        "You can't create this secret because a secret with this name is already scheduled for deletion.";
      throw new ServiceError("InvalidRequestException", why);
    }
    if (secrets.has(name)) {
      throw new ServiceError(
        "ResourceExistsException",
        `The operation failed because ${name} already exists.`,
      );
    }
    return { ARN: put(name, value, key), Name: name };
  },
  PutSecretValue(request) {
    const secret = find(idSchema.parse(request));
    put(secret.name, valueSchema.parse(request).SecretString);
    return {
      ARN: secret.arn,
      Name: secret.name,
      VersionId: secret.versionId,
      VersionStages: ["AWSCURRENT"],
    };
  },
  UpdateSecret(request) {
    const secret = find(idSchema.parse(request));
    const { SecretString, KmsKeyId } = valueSchema.parse(request);
    secret.key = KmsKeyId ?? secret.key;
    put(secret.name, SecretString);
    return { ARN: secret.arn, Name: secret.name, VersionId: secret.versionId };
  },
  RestoreSecret(request) {
    const secret = findAny(idSchema.parse(request));
    secret.isDeleted = false;
    return { ARN: secret.arn, Name: secret.name };
  },
  DeleteSecret(request) {
    const secret = find(idSchema.parse(request));
    if (deletionSchema.parse(request).ForceDeleteWithoutRecovery) secrets.delete(secret.name);
    else secret.isDeleted = true;
    return { ARN: secret.arn, Name: secret.name, DeletionDate: Date.now() / 1000 };
  },
});

/**
 * An empty store of secrets with the basic operations of Secrets Manager. It keeps only the current version. A deleted
 * secret can be restored until the run ends, unless the deletion was forced.
 */
export function createSecrets(environment: AwsEnvironment): Secrets {
  const store = createStore(environment);
  const operations = { ...readOperations(store), ...writeOperations(store) };
  return {
    put: store.put,
    operate(operation, request) {
      const operate = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
      if (operate === undefined) {
        throw new ServiceError("UnknownOperationException", `the local run does not support ${operation}`);
      }
      return operate(request);
    },
  };
}

/** Starts Secrets Manager on 127.0.0.1. It is written here because npm has no engine to embed. */
export function startSecretsManager(secrets: Secrets): Promise<LoopbackServer> {
  return startLoopbackServer(
    jsonEndpoint((request, body) => {
      const operation = String(request.headers["x-amz-target"]).replace("secretsmanager.", "");
      return { status: 200, body: secrets.operate(operation, body) };
    }),
  );
}

/** Ignored: encryption at rest. */
const ignored = z.unknown().optional();

const propertiesSchema = z.strictObject({
  Name: z.string().optional(),
  GenerateSecretString: z.strictObject({ PasswordLength: z.coerce.number().default(32) }).optional(),
  Description: ignored,
  KmsKeyId: ignored,
});

/** A generated value: only hexadecimal digits. */
const generate = ({ PasswordLength }: { readonly PasswordLength: number }) =>
  randomBytes(PasswordLength).toString("hex").slice(0, PasswordLength);

/**
 * AWS::SecretsManager::Secret.
 *
 * @param given values by name, used instead of the template's
 */
export function secretType(secrets: Secrets, given: Readonly<Record<string, string>>): ResourceType {
  return ({ physicalName, properties }) => {
    const { Name: name = physicalName, GenerateSecretString } = propertiesSchema.parse(properties);
    const secretArn = secrets.put(
      name,
      given[name] ?? (GenerateSecretString && generate(GenerateSecretString)),
    );
    return { ref: secretArn, attributes: { Id: secretArn } };
  };
}
