import { awsLimits } from "../../lib/aws-facts.ts";

/** A vendor's cards. */
export interface VendorArrivals {
  readonly vendor: string;
  /** When each card is accepted, in seconds, ascending. */
  readonly at: Float64Array;
}

/** The delivery and the exchange that are simulated. */
export interface DeliveryModel {
  /** Environments at once: the event source's maximum concurrency. */
  readonly maximumConcurrency: number;
  /** Messages that one invocation is given at most, and how long it waits for them, in seconds. */
  readonly batchSize: number;
  readonly batchWindow: number;
  /** Cards up to which an invocation with a full batch receives more of the queue itself; 0 if it does not. */
  readonly drainTo: number;
  /** Seconds of a request to the queue. */
  readonly queueSeconds: number;
  /** Cards in one post, and vendors posted for at once by one invocation. */
  readonly postSize: number;
  readonly parallelPosts: number;
  /** Seconds of an invocation that are not the exchange's. */
  readonly ownSeconds: number;
  /** Seconds that the exchange takes for a post, and posts that it takes a second. */
  readonly exchangeSeconds: number;
  readonly exchangePerSecond: number;
  /** Whether the queue serves noisy vendors last, as SQS does for messages with a group; by their share of the messages in flight. */
  readonly fair: boolean;
}

/** What became of a day. */
export interface DeliveryDay {
  /** Seconds from acceptance to delivery of each card, in the order of the vendor's arrivals. */
  readonly waits: ReadonlyMap<string, Float64Array>;
  readonly cards: number;
  readonly invocations: number;
  /** Requests to the queue that found messages; there are as many that delete them. */
  readonly receives: number;
  /** Requests of the runs themselves that found none. */
  readonly emptyReceives: number;
  readonly posts: number;
  /** Seconds of all invocations together. */
  readonly busySeconds: number;
  /** Environments at work at once, at most. */
  readonly peakConcurrency: number;
  /** When the last card is delivered. */
  readonly endedAt: number;
}

/** Messages that SQS gives in one request; a batch is put together of several. */
const receiveSize = 10;

interface Waiting {
  readonly vendor: string;
  readonly at: Float64Array;
  readonly waits: Float64Array;
  /** Cards that have been taken from the queue. */
  taken: number;
  /** Cards taken and not delivered yet. */
  underWay: number;
  /** Too many of the cards under way were its own, and some of its cards have waited ever since. */
  isNoisy: boolean;
}

/** Plays a day of deliveries, batch by batch. */
export function simulateDelivery(arrivals: readonly VendorArrivals[], model: DeliveryModel): DeliveryDay {
  const vendors = arrivals.map(
    ({ vendor, at }): Waiting => ({
      vendor,
      at,
      waits: new Float64Array(at.length),
      taken: 0,
      underWay: 0,
      isNoisy: false,
    }),
  );
  const environments = new Float64Array(model.maximumConcurrency);
  /** When each batch under way ends, and its cards. */
  let running: { end: number; of: Map<Waiting, number> }[] = [];
  const takenInSecond = new Map<number, number>();
  const day = {
    cards: 0,
    invocations: 0,
    receives: 0,
    emptyReceives: 0,
    posts: 0,
    busySeconds: 0,
    peakConcurrency: 0,
    endedAt: 0,
  };

  const nextArrival = (): number =>
    Math.min(...vendors.map(({ at, taken }) => at[taken] ?? Number.POSITIVE_INFINITY));
  const isWaiting = ({ at, taken }: Waiting, now: number) => (at[taken] ?? Number.POSITIVE_INFINITY) <= now;

  const findNoisy = (now: number): void => {
    const underWay = vendors.reduce((sum, vendor) => sum + vendor.underWay, 0);
    for (const vendor of vendors) {
      const hasMany =
        vendor.underWay >= awsLimits.noisyMessages.value &&
        vendor.underWay > awsLimits.noisyShare.value * underWay;
      vendor.isNoisy = isWaiting(vendor, now) && (vendor.isNoisy || hasMany);
    }
  };

  /** Whether a vendor's card is given before another's: the older one, but noisy vendors last, and of these that with the fewest under way. */
  const isBefore = (one: Waiting, other: Waiting): boolean => {
    if (one.isNoisy !== other.isNoisy) return other.isNoisy;
    if (one.isNoisy) return one.underWay < other.underWay;
    return (one.at[one.taken] ?? 0) < (other.at[other.taken] ?? 0);
  };

  /** The vendor whose card is given next. */
  const next = (now: number): Waiting | undefined => {
    if (model.fair) findNoisy(now);
    let chosen: Waiting | undefined;
    for (const vendor of vendors) {
      if (isWaiting(vendor, now) && (chosen === undefined || isBefore(vendor, chosen))) chosen = vendor;
    }
    return chosen;
  };

  /** When a batch that is begun at a time is full, or its window over. */
  const gatheredAt = (begun: number): number => {
    const upTo = begun + model.batchWindow;
    let waiting = 0;
    for (const { at, taken } of vendors) {
      for (let card = taken; (at[card] ?? Number.POSITIVE_INFINITY) <= begun; card++) {
        waiting++;
        if (waiting >= model.batchSize) return begun;
      }
    }
    return upTo;
  };

  /** Posts in the first second that the exchange has room in; returns when it has answered. */
  const post = (at: number): number => {
    let second = Math.floor(at);
    while ((takenInSecond.get(second) ?? 0) >= model.exchangePerSecond) second++;
    takenInSecond.set(second, (takenInSecond.get(second) ?? 0) + 1);
    day.posts++;
    return Math.max(at, second) + model.exchangeSeconds;
  };

  for (;;) {
    const first = nextArrival();
    if (first === Number.POSITIVE_INFINITY) break;
    const environment = environments.indexOf(Math.min(...environments));
    const begun = Math.max(environments[environment] ?? 0, first);
    const now = gatheredAt(begun);
    for (const { end, of } of running) {
      if (end <= now) for (const [vendor, cards] of of) vendor.underWay -= cards;
    }
    running = running.filter(({ end }) => end > now);

    const batch = new Map<Waiting, number[]>();
    const take = (most: number, at: number): number => {
      let size = 0;
      while (size < most) {
        const vendor = next(at);
        if (vendor === undefined) break;
        const cards = batch.get(vendor) ?? [];
        batch.set(vendor, cards);
        const limit = vendor.isNoisy ? Math.min(receiveSize, most - size) : 1;
        for (let taken = 0; taken < limit && isWaiting(vendor, at); taken++, size++) {
          cards.push(vendor.taken++);
          vendor.underWay++;
        }
      }
      return size;
    };
    const given = take(model.batchSize, now);
    const wanted = given < model.batchSize ? 0 : Math.max(0, model.drainTo - given);
    // It sends all its requests at once, and deletes what it received itself before it ends.
    const receivedAt = now + (wanted > 0 ? model.queueSeconds : 0);
    const drained = wanted > 0 ? take(wanted, receivedAt) : 0;
    const postsFrom = receivedAt + model.ownSeconds;

    const lanes = new Float64Array(model.parallelPosts).fill(postsFrom);
    for (const [vendor, cards] of batch) {
      const lane = lanes.indexOf(Math.min(...lanes));
      for (let start = 0; start < cards.length; start += model.postSize) {
        lanes[lane] = post(lanes[lane] ?? now);
        for (const card of cards.slice(start, start + model.postSize)) {
          vendor.waits[card] = (lanes[lane] ?? now) - (vendor.at[card] ?? now);
        }
      }
    }
    const end = Math.max(...lanes) + (drained > 0 ? model.queueSeconds : 0);
    environments[environment] = end;
    running.push({ end, of: new Map([...batch].map(([vendor, cards]) => [vendor, cards.length])) });
    day.cards += given + drained;
    day.invocations++;
    const found = Math.ceil(drained / receiveSize);
    day.receives += Math.ceil(given / receiveSize) + found;
    day.emptyReceives += Math.ceil(wanted / receiveSize) - found;
    day.busySeconds += end - now;
    day.peakConcurrency = Math.max(day.peakConcurrency, running.length);
    day.endedAt = Math.max(day.endedAt, end);
  }
  return { ...day, waits: new Map(vendors.map(({ vendor, waits }) => [vendor, waits])) };
}
