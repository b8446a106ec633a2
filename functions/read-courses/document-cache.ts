import { LRUCache } from "lru-cache";
import { type JsonDocument, jsonDocument, keptDocument } from "./json-document.ts";

/** Repeated responses, gzipped and ready to be sent. */
export interface DocumentCache {
  /**
   * The document made of a list.
   *
   * @param key identifies the request, independent of the client
   * @param list the source of the document: the same object until it is read again
   */
  document(key: string, list: object, make: () => string): JsonDocument;
}

/**
 * Caches responses, so a repeated one is not selected, sorted, tagged and gzipped again. Lists are referenced weakly, because
 * each takes more memory than the response made of it.
 *
 * @param bytes limit of all responses together, as they are kept
 */
export function documentCache(bytes: number): DocumentCache {
  const cache = new LRUCache<string, { readonly list: WeakRef<object>; readonly document: JsonDocument }>({
    maxSize: bytes,
    sizeCalculation: ({ document }, key) => document.gzipped().byteLength + 2 * key.length + 200,
  });
  return {
    document(key, list, make) {
      const known = cache.get(key);
      if (known?.list.deref() === list) return known.document;
      const made = jsonDocument(make());
      // A list that was read again has rarely changed.
      const document = known?.document.tag === made.tag ? known.document : keptDocument(made);
      cache.set(key, { list: new WeakRef(list), document });
      return document;
    },
  };
}
