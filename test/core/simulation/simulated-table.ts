import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  type BatchStatementError,
  type DynamoDBClient,
  QueryCommand,
} from "@aws-sdk/client-dynamodb";
import { applyStatement, keyOfStatement, parseStatement } from "@scorecard-pipeline/local-aws/dynamodb";
import type { SeededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { Item } from "../../../core/aws/batch.ts";
import type { EngineFaults, Environment, Request } from "./environment.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Who is told what the table does. */
export interface TableObserver {
  /** @param at when the item was like this, in milliseconds since 1970; told when the environment hears of it */
  onRead(by: string, id: string, item: Item | undefined, at: number): void;
  onWritten(by: string, id: string, item: Item): void;
  onRefused(by: string, id: string): void;
  /** A run asks for what DynamoDB never does. */
  onMistake(by: string, words: string): void;
}

/** How far the index by state lags behind at most, in milliseconds. */
const indexLag = 5000;
const partCodes = ["ThrottlingError", "ProvisionedThroughputExceeded", "InternalServerError"] as const;

/** DynamoDB makes no write of a batch that has two of one item. */
class TwiceNamedError extends Error {
  override readonly name = "ValidationException";
}

const namesTwice = (ids: readonly string[]) => new Set(ids).size < ids.length;

/**
 * DynamoDB's table of cards. Each item of a batch is read or written at a time of its own, and the index by state lags.
 *
 * @param isConditional whether conditions hold, as they should
 * @returns the client of an environment
 */
export function simulatedTable(
  request: Request,
  time: VirtualTime,
  random: SeededRandom,
  faults: EngineFaults,
  observer: TableObserver,
  isConditional: boolean,
): (from: Environment) => DynamoDBClient {
  const items = new Map<string, Item>();
  const index = new Map<string, Item>();
  const idOf = (item: Item) => item.id?.S ?? "";
  const isPartRefused = () => random.chance(faults.refusePart);
  const isThrottled = (id = "") => faults.throttled !== undefined && id.endsWith(`#${faults.throttled}`);

  function read(from: Environment, { input }: BatchGetItemCommand) {
    const [[table, { Keys = [], ConsistentRead = false }] = ["", {}]] = Object.entries(
      input.RequestItems ?? {},
    );
    if (!ConsistentRead) throw new TypeError("Cards are read with strong consistency.");
    if (namesTwice(Keys.map(idOf))) observer.onMistake(from.name(), "reads an item twice in a request");
    return request(from, () => {
      const found: Item[] = [];
      const heard: (() => void)[] = [];
      const isRefused = isPartRefused();
      const left = Keys.filter((key) => isThrottled(idOf(key)) || (isRefused && random.chance(0.4)));
      const pieces = Keys.filter((key) => !left.includes(key)).map((key) => () => {
        const item = items.get(idOf(key));
        if (item !== undefined) found.push(item);
        const at = time.now();
        heard.push(() => observer.onRead(from.name(), idOf(key), item, at));
      });
      const answer = () => {
        for (const hear of heard) hear();
        return {
          Responses: { [table]: found },
          UnprocessedKeys: left.length > 0 ? { [table]: { Keys: left } } : {},
        };
      };
      return { pieces, answer };
    });
  }

  function execute(
    by: string,
    text: string,
    parameters: readonly AttributeValue[],
  ): BatchStatementError | undefined {
    const statement = parseStatement(text);
    const id = idOf(keyOfStatement(statement, parameters, ["id"]));
    const before = items.get(id);
    const isForced = !isConditional && before !== undefined && id.includes("#");
    const result = applyStatement(
      isForced && statement.kind === "update" ? { ...statement, conditions: [] } : statement,
      parameters,
      isForced && statement.kind === "insert" ? undefined : before,
    );
    if ("failure" in result) {
      observer.onRefused(by, id);
      const Item = statement.kind === "update" ? before : undefined;
      return { Code: result.failure, Item };
    }
    items.set(id, result.item);
    observer.onWritten(by, id, result.item);
    time.after(random.whole(0, indexLag), () => {
      const now = items.get(id) ?? {};
      if (now.vendorState === undefined) index.delete(id);
      else index.set(id, now);
    });
    return undefined;
  }

  function write(from: Environment, { input }: BatchExecuteStatementCommand) {
    const statements = input.Statements ?? [];
    // It may be carried out when the environment is at another run.
    const by = from.name();
    if (statements.length > 25) throw new TypeError("A batch has 25 statements at most.");
    const ids = statements.map(({ Statement = "", Parameters = [] }) =>
      idOf(keyOfStatement(parseStatement(Statement), Parameters, ["id"])),
    );
    if (namesTwice(ids)) {
      observer.onMistake(by, "writes an item twice in a request");
      return Promise.reject(new TwiceNamedError());
    }
    return request(from, () => {
      const errors: (BatchStatementError | undefined)[] = [];
      const areRefused = isPartRefused();
      const pieces = statements.map(({ Statement = "", Parameters = [] }, place) => {
        const isRefused = isThrottled(ids[place]) || (areRefused && random.chance(0.4));
        // An internal error may have carried the statement out.
        const Code = random.oneOf(partCodes);
        const isInternal = Code === "InternalServerError" && !isThrottled(ids[place]);
        const isCarriedOut = isInternal && random.chance(0.5);
        return () => {
          if (!isRefused) errors[place] = execute(by, Statement, Parameters);
          else {
            if (isCarriedOut) execute(by, Statement, Parameters);
            errors[place] = { Code };
          }
        };
      });
      const answer = () => ({ Responses: statements.map((_, place) => ({ Error: errors[place] })) });
      return { pieces, answer };
    });
  }

  function query(from: Environment, { input }: QueryCommand) {
    const { IndexName, ExpressionAttributeValues, ExclusiveStartKey, Limit = 100, ScanIndexForward } = input;
    if (IndexName !== "byState" || ScanIndexForward !== false) throw new TypeError("There is no such query.");
    const wanted = ExpressionAttributeValues?.[":vendorState"]?.S;
    const after = ExclusiveStartKey?.stateSince?.S;
    return request(from, () => {
      let page: Item[] = [];
      let isMore = false;
      const look = () => {
        const all = [...index.values()]
          .filter(({ vendorState }) => vendorState?.S === wanted)
          .sort((one, other) => ((one.stateSince?.S ?? "") < (other.stateSince?.S ?? "") ? 1 : -1))
          .filter(({ stateSince }) => after === undefined || (stateSince?.S ?? "") < after);
        page = all.slice(0, Limit);
        isMore = all.length > Limit;
      };
      const answer = () => ({
        Items: page,
        ...(isMore && { LastEvaluatedKey: { stateSince: page.at(-1)?.stateSince } }),
      });
      return { pieces: [look], answer };
    });
  }

  return (from) => {
    const send = (command: object) => {
      if (command instanceof BatchGetItemCommand) return read(from, command);
      if (command instanceof BatchExecuteStatementCommand) return write(from, command);
      if (command instanceof QueryCommand) return query(from, command);
      throw new TypeError(`The simulated table has no ${command.constructor.name}.`);
    };
    return { send } as unknown as DynamoDBClient;
  };
}
