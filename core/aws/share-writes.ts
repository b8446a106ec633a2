import {
  BatchExecuteStatementCommand,
  type BatchExecuteStatementInput,
  type BatchExecuteStatementOutput,
  type DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { writeLimit } from "./batch.ts";
import { cut, type Sharing, shareCommands } from "./shared-requests.ts";

const statementsOf = ({ Statements = [] }: BatchExecuteStatementInput) => Statements;

const sharing: Sharing<BatchExecuteStatementInput, BatchExecuteStatementOutput> = {
  keyOf: () => "",
  room: (inputs) => writeLimit - inputs.flatMap(statementsOf).length,
  merge: (inputs) => ({ Statements: inputs.flatMap(statementsOf) }),
  split({ Responses = [] }, inputs) {
    const lengths = inputs.map((input) => statementsOf(input).length);
    return cut(Responses, lengths).map((own) => ({ Responses: own }));
  },
};

/**
 * Makes conditional writes of invocations that run at the same time share requests of 25. DynamoDB refuses two writes of one
 * item in a request; they are then sent one by one.
 *
 * @see conditionalWrites
 */
export const shareWrites = (client: DynamoDBClient): DynamoDBClient =>
  shareCommands(client, BatchExecuteStatementCommand, sharing);
