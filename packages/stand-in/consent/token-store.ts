/** An entry of an authorization server's store: a code, token, grant, session or interaction. */
type Kept = Record<string, unknown>;

interface Entry {
  readonly kept: Kept;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** The store of one kind of entry, as oidc-provider's adapters require it. */
interface Store {
  upsert(id: string, kept: Kept, expiresIn: number | undefined): Promise<void>;
  find(id: string): Promise<Kept | undefined>;
  findByUid(uid: string): Promise<Kept | undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

/**
 * Stores in memory, one for each kind of entry; an expired entry is removed when it is read.
 *
 * @see oidc-provider, adapter
 */
export function tokenStores(now: () => Date): (kind: string) => Store {
  const kinds = new Map<string, Map<string, Entry>>();
  return (kind) => {
    const entries = kinds.get(kind) ?? new Map<string, Entry>();
    kinds.set(kind, entries);
    const find = (id: string) => {
      const entry = entries.get(id);
      if (entry !== undefined && entry.until > now().getTime()) return entry.kept;
      entries.delete(id);
      return undefined;
    };
    return {
      async upsert(id, kept, expiresIn) {
        const until =
          expiresIn === undefined ? Number.POSITIVE_INFINITY : now().getTime() + expiresIn * 1_000;
        entries.set(id, { kept, until });
      },
      find: async (id) => find(id),
      findByUid: async (uid) => [...entries.values()].find(({ kept }) => kept.uid === uid)?.kept,
      async consume(id) {
        const kept = find(id);
        if (kept !== undefined) kept.consumed = Math.floor(now().getTime() / 1_000);
      },
      async destroy(id) {
        entries.delete(id);
      },
      async revokeByGrantId(grantId) {
        for (const ofKind of kinds.values()) {
          for (const [id, { kept }] of ofKind) if (kept.grantId === grantId) ofKind.delete(id);
        }
      },
    };
  };
}
