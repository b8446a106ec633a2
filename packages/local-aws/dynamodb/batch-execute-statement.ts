import db, {
  type RequestError,
  type Store,
  type TableDescription,
  type WireItem,
  type WireValue,
} from "dynalite/db/index.js";
import validations from "dynalite/validations/index.js";
import * as z from "zod";
import { ServiceError } from "../base/json-endpoint.ts";
import {
  applyStatement,
  keyOfStatement,
  parseStatement,
  type Statement,
  StatementError,
  UnsupportedStatementError,
} from "./statement.ts";

const maxStatements = 25;

const requestSchema = z.object({
  Statements: z.array(
    z.object({
      Statement: z.string(),
      Parameters: z
        .array(z.custom<WireValue>((value) => typeof value === "object" && value !== null))
        .default([]),
      ReturnValuesOnConditionCheckFailure: z.enum(["ALL_OLD", "NONE"]).default("NONE"),
    }),
  ),
  ReturnConsumedCapacity: z.enum(["TOTAL", "NONE"]).default("NONE"),
});

type RequestedStatement = z.output<typeof requestSchema>["Statements"][number];

/** The result of one statement in the response of BatchExecuteStatement. */
interface StatementResponse {
  readonly TableName?: string;
  readonly Error?: { readonly Code: string; readonly Message: string; readonly Item?: WireItem };
}

/** Write units that a statement took, without those of indexes. */
interface TableCapacity {
  readonly TableName: string;
  readonly CapacityUnits: number;
}

/** A statement that fits its table, with the key of its item. */
interface BoundStatement {
  readonly statement: Statement;
  readonly parameters: readonly WireValue[];
  readonly table: TableDescription;
  readonly itemKey: string;
  readonly returnsItem: boolean;
}

const failureMessages = {
  DuplicateItem: "Duplicate primary key exists in table",
  ConditionalCheckFailed: "The conditional request failed",
};

/**
 * DynamoDB's BatchExecuteStatement on dynalite's store: independent conditional writes.
 *
 * @returns handles the body of a request
 */
export function batchExecuteStatement(
  store: Store,
): (body: unknown) => Promise<{ Responses: StatementResponse[]; ConsumedCapacity?: TableCapacity[] }> {
  return async (body) => {
    const { Statements, ReturnConsumedCapacity } = requestSchema.parse(body);
    if (Statements.length === 0) throw new ServiceError("ValidationException", "The statement was empty.");
    if (Statements.length > maxStatements) {
      const why = `BatchExecuteStatement takes at most ${maxStatements} statements, and was given ${Statements.length}`;
      throw new ServiceError("ValidationException", why);
    }
    const bound = await Promise.all(Statements.map((requested) => bind(store, requested)));
    refuseRepeatedItems(bound);
    const consumed: TableCapacity[] = [];
    const execute = (
      one: BoundStatement | StatementResponse,
    ): Promise<StatementResponse> | StatementResponse =>
      "statement" in one ? executeStatement(store, one, consumed) : one;
    const Responses = await Promise.all(bound.map(execute));
    return { Responses, ...(ReturnConsumedCapacity === "TOTAL" && { ConsumedCapacity: consumed }) };
  };
}

/** @throws ServiceError for two statements on one item: DynamoDB does not define the order within a batch */
function refuseRepeatedItems(bound: readonly (BoundStatement | StatementResponse)[]): void {
  const items = bound.flatMap((one) => ("statement" in one ? [`${one.table.TableName} ${one.itemKey}`] : []));
  if (new Set(items).size === items.length) return;
  throw new ServiceError("ValidationException", "Provided list of item keys contains duplicates");
}

/**
 * @returns an error response for a statement that does not fit its table
 * @throws ServiceError for an unsupported statement
 */
async function bind(
  store: Store,
  requested: RequestedStatement,
): Promise<BoundStatement | StatementResponse> {
  const { Statement: text, Parameters: parameters, ReturnValuesOnConditionCheckFailure } = requested;
  try {
    const statement = parseStatement(text);
    const table = await describeTable(store, statement.table);
    parameters.forEach(checkValue);
    const keyAttributes = table.KeySchema.map(({ AttributeName }) => AttributeName);
    const key = keyOfStatement(statement, parameters, keyAttributes);
    const fault = db.validateKey(key, table);
    if (fault) throw new StatementError(fault.body.message);
    const returnsItem = ReturnValuesOnConditionCheckFailure === "ALL_OLD";
    return { statement, parameters, table, itemKey: db.createKey(key, table), returnsItem };
  } catch (error) {
    if (error instanceof UnsupportedStatementError)
      throw new ServiceError("ValidationException", error.message);
    if (error instanceof StatementError) return failure("ValidationError", error.message);
    if (isRequestError(error)) return failure("ResourceNotFound", error.body.message);
    throw error;
  }
}

/** DynamoDB's types, and what each looks like in JSON. */
const valueTypes: Readonly<Record<string, (value: unknown) => boolean>> = {
  S: isText,
  N: isText,
  B: isText,
  BOOL: (value) => typeof value === "boolean",
  NULL: (value) => value === true,
  M: (value) => typeof value === "object",
  L: Array.isArray,
  SS: Array.isArray,
  NS: Array.isArray,
  BS: Array.isArray,
};

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** Validates a value, and normalizes its numbers to the form in which DynamoDB stores them. */
function checkValue(value: WireValue): void {
  const isTyped = Object.entries(value).every(([type, content]) => valueTypes[type]?.(content));
  const fault = isTyped
    ? validations.validateAttributeValue(value)
    : `The parameter ${JSON.stringify(value)} is not an attribute value`;
  if (fault !== undefined) throw new ServiceError("ValidationException", fault);
}

function isRequestError(error: unknown): error is RequestError {
  return error instanceof Error && "body" in error;
}

function failure(Code: string, Message: string, Item?: WireItem): StatementResponse {
  return { Error: { Code, Message, ...(Item !== undefined && { Item }) } };
}

function describeTable(store: Store, name: string): Promise<TableDescription> {
  return new Promise((resolve, reject) => {
    store.getTable(name, (error, table) => {
      if (error === null && table !== undefined) resolve(table);
      else reject(error);
    });
  });
}

/** Writes like dynalite's own UpdateItem: under the lock of the item's key, and indexes before the item. */
function executeStatement(
  store: Store,
  { statement, parameters, table, itemKey, returnsItem }: BoundStatement,
  consumed: TableCapacity[],
): Promise<StatementResponse> {
  const { TableName } = table;
  const itemDb = store.getItemDb(TableName);
  return new Promise((resolve, reject) => {
    itemDb.lock(itemKey, (release) => {
      const end = (response: StatementResponse) => release(() => resolve({ TableName, ...response }))(null);
      const fail = (error: Error) => release(() => reject(error))(null);
      itemDb.get(itemKey, (_notFound, existing) => {
        const applied = applyStatement(statement, parameters, existing);
        const sizes = [existing, "item" in applied ? applied.item : undefined].map((one) =>
          one === undefined ? 1 : Math.ceil(db.itemSize(one) / 1024),
        );
        consumed.push({ TableName, CapacityUnits: Math.max(...sizes) });
        if ("failure" in applied) {
          const isReturned = returnsItem && applied.failure === "ConditionalCheckFailed";
          return end(
            failure(applied.failure, failureMessages[applied.failure], isReturned ? existing : undefined),
          );
        }
        const { item } = applied;
        const fault = db.validateItem(item, table);
        if (fault) return end(failure("ValidationError", fault.body.message));
        if (db.itemSize(item) > store.options.maxItemSize) {
          return end(failure("ValidationError", "Item size has exceeded the maximum allowed size"));
        }
        db.updateIndexes(store, table, existing, item, (indexError) => {
          if (indexError) return fail(indexError);
          itemDb.put(itemKey, item, (error) => {
            if (error) fail(error);
            else end({});
          });
        });
      });
    });
  });
}
