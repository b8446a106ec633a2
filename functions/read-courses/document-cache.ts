import { LRUCache } from "lru-cache";
import { type JsonDocument, jsonDocument } from "./json-document.ts";

/** Repeated responses, ready to be sent. */
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
 * Caches responses as text, so a repeated one is not selected, sorted and tagged again. Lists are referenced weakly, because
 * each takes more memory than the response made of it.
 *
 * @param bytes limit of all responses together, at two bytes a character
 */
export function documentCache(bytes: number): DocumentCache {
  const cache = new LRUCache<string, { readonly list: WeakRef<object>; readonly document: JsonDocument }>({
    maxSize: bytes,
    sizeCalculation: ({ document }, key) => 2 * (document.text.length + key.length) + 200,
  });
  return {
    document(key, list, make) {
      const known = cache.get(key);
      if (known?.list.deref() === list) return known.document;
      const document = jsonDocument(make());
      cache.set(key, { list: new WeakRef(list), document });
      return document;
    },
  };
}
