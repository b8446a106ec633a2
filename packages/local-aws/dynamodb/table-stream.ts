import db from "dynalite/db/index.js";
import { ServiceError } from "../base/json-endpoint.ts";
import { isSameValue } from "./statement.ts";

/** An item with the type of each value, e.g. `{ id: { S: "1" } }`. Not dynalite's type: the declarations of this package cannot name that. */
type WireItem = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** An item as it is kept: dynalite changes the items that it gets, so each time it is given one of its own. */
export interface StoredItem {
  readonly json: string;
  /** As DynamoDB counts them. */
  readonly bytes: number;
}

/** A record has the item before and after the change. */
export const streamViewType = "NEW_AND_OLD_IMAGES";

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
    readonly StreamViewType: typeof streamViewType;
  };
}

interface StreamedTable {
  readonly tableName: string;
  readonly tableArn: string;
  readonly keySchema: readonly { readonly AttributeName: string; readonly KeyType: string }[];
}

/** The latest changes of a table's items, in order. */
export interface TableStream extends StreamedTable {
  readonly arn: string;
  readonly label: string;
  readonly createdAt: Date;
  /** Appends a change of an item, unless both images are equal. */
  append(item: WireItem, oldImage: StoredItem | undefined, newImage: StoredItem | undefined): void;
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
  read(from: number, limit: number, reader: string): string[];
}

/** A record as it is kept. Its images are the table's own, or were: together they take less memory than the record's JSON. */
interface KeptRecord {
  readonly eventName: StreamRecord["eventName"];
  /** Seconds since 1970. */
  readonly at: number;
  readonly keys: WireItem;
  readonly newImage: StoredItem | undefined;
  readonly oldImage: StoredItem | undefined;
  /** Size of its images and key, as DynamoDB counts it. */
  readonly bytes: number;
}

/** A record's number as text of a fixed length, so that texts sort like their numbers. */
export function sequenceNumber(number: number): string {
  return String(number).padStart(21, "0");
}

const parsed = ({ json }: StoredItem): WireItem => JSON.parse(json);

/** The JSON of equal items differs in the order of attributes and of sets at most. */
function isSameItem(one: StoredItem | undefined, other: StoredItem | undefined): boolean {
  if (one === undefined || other === undefined || one.json === other.json) return one?.json === other?.json;
  return one.json.length === other.json.length && isSameValue(parsed(one), parsed(other));
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

/** What is kept of a change of an item. */
function toRecord(
  { keySchema }: StreamedTable,
  item: WireItem,
  oldImage: StoredItem | undefined,
  newImage: StoredItem | undefined,
): KeptRecord {
  const keys = Object.fromEntries(keySchema.map(({ AttributeName: key }) => [key, item[key] ?? {}]));
  return {
    eventName: oldImage === undefined ? "INSERT" : newImage === undefined ? "REMOVE" : "MODIFY",
    at: Math.floor(Date.now() / 1000),
    keys,
    newImage,
    oldImage,
    bytes: db.itemSize(keys) + (newImage?.bytes ?? 0) + (oldImage?.bytes ?? 0),
  };
}

/** A record as readers of the stream get it. */
function toJson(
  { eventName, at, keys, newImage, oldImage, bytes }: KeptRecord,
  number: number,
  label: string,
  { tableArn }: StreamedTable,
): string {
  const SequenceNumber = sequenceNumber(number);
  const record: StreamRecord = {
    eventID: `${label}-${SequenceNumber}`,
    eventName,
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    awsRegion: tableArn.split(":")[3] ?? "",
    dynamodb: {
      ApproximateCreationDateTime: at,
      Keys: keys,
      SequenceNumber,
      SizeBytes: bytes,
      StreamViewType: streamViewType,
    },
  };
  // The images are JSON already: they become the last members of `dynamodb`, which is the last member of the record.
  const image = (name: string, of: StoredItem | undefined) =>
    of === undefined ? "" : `,"${name}":${of.json}`;
  const images = image("NewImage", newImage) + image("OldImage", oldImage);
  return `${JSON.stringify(record).slice(0, -2)}${images}}}`;
}

/** The next record of each reader, and when it read last. */
type StreamReaders = Map<string, { readonly next: number; readonly at: number }>;

/** The next record of the slowest reader; forgets those whose iterators have expired. */
function findSlowest(readers: StreamReaders): number {
  for (const [reader, { at }] of readers) if (Date.now() - at > readerMilliseconds) readers.delete(reader);
  return Math.min(...[...readers.values()].map(({ next }) => next));
}

/**
 * Creates the stream of a table.
 *
 * @param appended called after each change
 */
export function createTableStream(
  table: StreamedTable,
  appended: (stream: TableStream) => void,
  { least, most } = retention,
): TableStream {
  const { tableArn } = table;
  const createdAt = new Date();
  const label = createdAt.toISOString().slice(0, -1);
  const records: KeptRecord[] = [];
  let oldest = 1;
  let isClosed = false;
  const readers: StreamReaders = new Map();

  /** Drops records that everybody has read. */
  const trim = (): void => {
    const end = oldest + records.length;
    const from = Math.max(Math.min(end - least, findSlowest(readers)), end - most);
    // Not one at a time: all later records move up.
    if (from - oldest < least / 10) return;
    records.splice(0, from - oldest);
    oldest = from;
  };

  const stream: TableStream = {
    ...table,
    arn: `${tableArn}/stream/${label}`,
    label,
    createdAt,
    append(item, oldImage, newImage) {
      if (isSameItem(oldImage, newImage)) return;
      records.push(toRecord(table, item, oldImage, newImage));
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
      const found: string[] = [];
      let read = 0;
      for (const record of records.slice(from - oldest, from - oldest + limit)) {
        read += record.bytes;
        if (found.length > 0 && read > maxBytesRead) break;
        found.push(toJson(record, from + found.length, label, table));
      }
      readers.set(reader, { next: from + found.length, at: Date.now() });
      return found;
    },
  };
  return stream;
}
