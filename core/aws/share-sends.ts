import {
  SendMessageBatchCommand,
  type SendMessageBatchRequest,
  type SendMessageBatchResult,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { bytesLimit, entriesLimit } from "./send-messages.ts";
import { cut, type Sharing, shareCommands } from "./shared-requests.ts";

const entriesOf = ({ Entries = [] }: SendMessageBatchRequest) => Entries;
const bytesOf = ({ MessageBody = "" }: ReturnType<typeof entriesOf>[number]) =>
  Buffer.byteLength(MessageBody);

const sharing: Sharing<SendMessageBatchRequest, SendMessageBatchResult> = {
  keyOf: ({ QueueUrl = "" }) => QueueUrl,
  room(inputs) {
    const entries = inputs.flatMap(entriesOf);
    const bytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
    return bytes > bytesLimit ? -1 : entriesLimit - entries.length;
  },
  merge: (inputs) => ({
    QueueUrl: inputs[0]?.QueueUrl,
    // Callers number their entries, each from 0.
    Entries: inputs.flatMap(entriesOf).map((entry, index) => ({ ...entry, Id: String(index) })),
  }),
  split({ Successful = [], Failed = [] }, inputs) {
    const ids = inputs.map((input) => entriesOf(input).map(({ Id }) => Id));
    const sharedIds = cut(
      ids.flat().map((_, index) => String(index)),
      ids.map(({ length }) => length),
    );
    return sharedIds.map((shared, caller) => {
      const own = <Result extends { Id: string | undefined }>(results: readonly Result[]): Result[] =>
        results
          .filter(({ Id }) => shared.includes(Id ?? ""))
          .map((result) => ({ ...result, Id: ids[caller]?.[shared.indexOf(result.Id ?? "")] }));
      return { Successful: own(Successful), Failed: own(Failed) };
    });
  },
};

/**
 * Makes messages that invocations send at the same time to one queue share requests of 10.
 *
 * @see sendMessages
 */
export const shareSends = (client: SQSClient): SQSClient =>
  shareCommands(client, SendMessageBatchCommand, sharing);
