import type { WireItem } from "dynalite/db/index.js";
import { ServiceError } from "../json-endpoint.ts";
import { isSameValue } from "./statement.ts";

/** What a record holds of the item besides its key. */
export type StreamViewType = "KEYS_ONLY" | "NEW_IMAGE" | "OLD_IMAGE" | "NEW_AND_OLD_IMAGES";

/** A change of an item, as the DynamoDB Streams API and Lambda's events have it. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: "INSERT" | "MODIFY" | "REMOVE";
  readonly eventVersion: string;
  readonly eventSource: string;
  readonly awsRegion: string;
  readonly dynamodb: {
    /** Seconds since 1970. */
    readonly ApproximateCreationDateTime: number;
    readonly Keys: WireItem;
    readonly NewImage?: WireItem;
    readonly OldImage?: WireItem;
    readonly SequenceNumber: string;
    readonly SizeBytes: number;
    readonly StreamViewType: StreamViewType;
  };
}

/** The table that a stream is of. */
export interface StreamedTable {
  readonly tableName: string;
  readonly tableArn: string;
  readonly keySchema: readonly { readonly AttributeName: string; readonly KeyType: string }[];
  readonly viewType: StreamViewType;
}

/** The changes of a table's items in their order, the latest of them. */
export interface TableStream extends StreamedTable {
  readonly arn: string;
  readonly label: string;
  readonly createdAt: Date;
  /** Appends a change; one that changes nothing is no change. The images must not be changed afterwards. */
  append(oldImage: WireItem | undefined, newImage: WireItem | undefined): void;
  /** The table is gone: nothing is appended any more. */
  close(): void;
  readonly closed: () => boolean;
  /** Numbers of the oldest record that is kept, and of the next record that is appended. */
  readonly bounds: () => { readonly oldest: number; readonly next: number };
  /**
   * Records from a number on, about a megabyte of them.
   *
   * @throws ServiceError TrimmedDataAccessException if the record of that number is not kept any more
   */
  read(from: number, limit: number): StreamRecord[];
}

/** Its size is counted when it is read: many records never are. */
type KeptRecord = Omit<StreamRecord, "dynamodb"> & {
  readonly dynamodb: Omit<StreamRecord["dynamodb"], "SizeBytes">;
};

/** Text of a record's number, as long for each, so that texts are in the order of their numbers. */
export function sequenceNumber(number: number): string {
  return String(number).padStart(21, "0");
}

const mostBytesRead = 1_000_000;

/** DynamoDB keeps records for a day; what is in memory has to be less. */
export const mostRecordsKept = 50_000;

/**
 * Starts the stream of a table.
 *
 * @param sizeOf bytes of an item, as DynamoDB counts them
 * @param appended called after each change
 * @param mostKept at least as many of the latest records are kept, and at most twice as many
 */
export function createTableStream(
  table: StreamedTable,
  sizeOf: (item: WireItem) => number,
  appended: (stream: TableStream) => void,
  mostKept = mostRecordsKept,
): TableStream {
  const { tableArn, keySchema, viewType } = table;
  const createdAt = new Date();
  const label = createdAt.toISOString().slice(0, -1);
  const region = tableArn.split(":")[3] ?? "";
  const keepsNew = viewType === "NEW_IMAGE" || viewType === "NEW_AND_OLD_IMAGES";
  const keepsOld = viewType === "OLD_IMAGE" || viewType === "NEW_AND_OLD_IMAGES";
  const records: KeptRecord[] = [];
  let oldest = 1;
  let isClosed = false;

  const recordOf = (old: WireItem | undefined, item: WireItem | undefined, number: number): KeptRecord => {
    const known = (item ?? old) as WireItem;
    const Keys = Object.fromEntries(keySchema.map(({ AttributeName: key }) => [key, known[key] ?? {}]));
    const images = {
      ...(keepsNew && item !== undefined && { NewImage: item }),
      ...(keepsOld && old !== undefined && { OldImage: old }),
    };
    const SequenceNumber = sequenceNumber(number);
    return {
      eventID: `${label}-${SequenceNumber}`,
      eventName: old === undefined ? "INSERT" : item === undefined ? "REMOVE" : "MODIFY",
      eventVersion: "1.1",
      eventSource: "aws:dynamodb",
      awsRegion: region,
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
        Keys,
        ...images,
        SequenceNumber,
        StreamViewType: viewType,
      },
    };
  };

  const stream: TableStream = {
    ...table,
    arn: `${tableArn}/stream/${label}`,
    label,
    createdAt,
    append(old, item) {
      if (isSameValue(old, item)) return;
      records.push(recordOf(old, item, oldest + records.length));
      if (records.length > 2 * mostKept) {
        records.splice(0, records.length - mostKept);
        oldest = Number(records[0]?.dynamodb.SequenceNumber);
      }
      appended(stream);
    },
    close() {
      isClosed = true;
    },
    closed: () => isClosed,
    bounds: () => ({ oldest, next: oldest + records.length }),
    read(from, limit) {
      if (from < oldest) {
        const why = `The record ${sequenceNumber(from)} is no longer in the stream; read on from TRIM_HORIZON`;
        throw new ServiceError("TrimmedDataAccessException", why);
      }
      const found: StreamRecord[] = [];
      let bytes = 0;
      for (let index = from - oldest; index < records.length && found.length < limit; index += 1) {
        const { dynamodb, ...record } = records[index] as KeptRecord;
        const { Keys, NewImage = {}, OldImage = {} } = dynamodb;
        const SizeBytes = sizeOf(Keys) + sizeOf(NewImage) + sizeOf(OldImage);
        bytes += SizeBytes;
        if (found.length > 0 && bytes > mostBytesRead) break;
        found.push({ ...record, dynamodb: { ...dynamodb, SizeBytes } });
      }
      return found;
    },
  };
  return stream;
}
