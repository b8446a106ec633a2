import { ServiceError } from "../json-endpoint.ts";
import { isSameValue } from "./statement.ts";

/** An item with the type of each value, e.g. `{ id: { S: "1" } }`. Not dynalite's type: the declarations of this package cannot name that. */
type WireItem = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Which images of the item a record has besides its key. */
export type StreamViewType = "KEYS_ONLY" | "NEW_IMAGE" | "OLD_IMAGE" | "NEW_AND_OLD_IMAGES";

/** A change of an item, in the form of the DynamoDB Streams API and of Lambda's events. */
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

/** The table that a stream belongs to. */
interface StreamedTable {
  readonly tableName: string;
  readonly tableArn: string;
  readonly keySchema: readonly { readonly AttributeName: string; readonly KeyType: string }[];
  readonly viewType: StreamViewType;
}

/** The latest changes of a table's items, in order. */
export interface TableStream extends StreamedTable {
  readonly arn: string;
  readonly label: string;
  readonly createdAt: Date;
  /** Appends a change, unless both images are equal. The images must not be modified afterwards. */
  append(oldImage: WireItem | undefined, newImage: WireItem | undefined): void;
  /** Called when the table is deleted; nothing is appended afterwards. */
  close(): void;
  readonly closed: () => boolean;
  /** Numbers of the oldest record in the stream and of the next one to be appended. */
  readonly bounds: () => { readonly oldest: number; readonly next: number };
  /**
   * Records from a number on as JSON of StreamRecord, up to about one megabyte.
   *
   * @param reader whoever reads on after these records: later ones are kept for it
   * @throws ServiceError TrimmedDataAccessException if the record with that number has been trimmed
   */
  read(from: number, limit: number, reader: string): Uint8Array[];
}

/** A record as it is kept: as the JSON that is sent, in a buffer outside of this thread's heap. */
interface KeptRecord {
  readonly json: Uint8Array;
  /** Size of its images and key, as DynamoDB counts it. */
  readonly bytes: number;
}

/** A record's number as text of a fixed length, so that texts sort like their numbers. */
export function sequenceNumber(number: number): string {
  return String(number).padStart(21, "0");
}

const maxBytesRead = 1_000_000;

/** How many records are kept. DynamoDB keeps them for a day; here they are in memory. */
export interface Retention {
  /** The latest, whoever has read them. */
  readonly least: number;
  /** If somebody has not read them yet. */
  readonly most: number;
}

const retention: Retention = { least: 2_000, most: 100_000 };

/** An iterator that is not used for so long expires in DynamoDB, too. */
const readerMilliseconds = 15 * 60_000;

/**
 * Creates the stream of a table.
 *
 * @param sizeOf size of an item in bytes, as DynamoDB counts it
 * @param appended called after each change
 */
export function createTableStream(
  table: StreamedTable,
  sizeOf: (item: WireItem) => number,
  appended: (stream: TableStream) => void,
  { least, most } = retention,
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
  /** The next record of each reader, and when it read last. */
  const readers = new Map<string, { readonly next: number; readonly at: number }>();

  /** Drops records that everybody has read. */
  const trim = (): void => {
    const end = oldest + records.length;
    let from = end - least;
    for (const [reader, { next, at }] of readers) {
      if (Date.now() - at > readerMilliseconds) readers.delete(reader);
      else from = Math.min(from, next);
    }
    from = Math.max(from, end - most);
    // Not one at a time: all later records move up.
    if (from - oldest < least / 10) return;
    records.splice(0, from - oldest);
    oldest = from;
  };

  const recordOf = (old: WireItem | undefined, item: WireItem | undefined, number: number): KeptRecord => {
    const known = (item ?? old) as WireItem;
    const Keys = Object.fromEntries(keySchema.map(({ AttributeName: key }) => [key, known[key] ?? {}]));
    const images = {
      ...(keepsNew && item !== undefined && { NewImage: item }),
      ...(keepsOld && old !== undefined && { OldImage: old }),
    };
    const SequenceNumber = sequenceNumber(number);
    const bytes = Object.values({ Keys, ...images }).reduce((sum, image) => sum + sizeOf(image), 0);
    const record: StreamRecord = {
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
        SizeBytes: bytes,
        StreamViewType: viewType,
      },
    };
    return { json: Buffer.from(JSON.stringify(record)), bytes };
  };

  const stream: TableStream = {
    ...table,
    arn: `${tableArn}/stream/${label}`,
    label,
    createdAt,
    append(old, item) {
      if (isSameValue(old, item)) return;
      records.push(recordOf(old, item, oldest + records.length));
      if (records.length > least) trim();
      appended(stream);
    },
    close() {
      isClosed = true;
    },
    closed: () => isClosed,
    bounds: () => ({ oldest, next: oldest + records.length }),
    read(from, limit, reader) {
      if (from < oldest) {
        const why = `The record ${sequenceNumber(from)} is no longer in the stream; read on from TRIM_HORIZON`;
        throw new ServiceError("TrimmedDataAccessException", why);
      }
      const found: Uint8Array[] = [];
      let read = 0;
      for (const { json, bytes } of records.slice(from - oldest, from - oldest + limit)) {
        read += bytes;
        if (found.length > 0 && read > maxBytesRead) break;
        found.push(json);
      }
      readers.set(reader, { next: from + found.length, at: Date.now() });
      return found;
    },
  };
  return stream;
}
