import { LRUCache } from "lru-cache";
import { type JsonDocument, jsonDocument } from "./json-document.ts";

/** Answers that are asked for again and again, ready to be sent. */
export interface KeptDocuments {
  /**
   * The document made of a list.
   *
   * @param key what is asked for, the same whoever asks
   * @param list what it is made of: the same object as long as nothing has been read anew
   */
  document(key: string, list: object, make: () => unknown): JsonDocument;
}

/**
 * Keeps answers as text, so one that was given before is neither selected nor sorted nor written again: a club's
 * four course versions take a hundred times as long to write as to send. The lists are not kept alive, since each takes
 * more memory than the answer that was made of it.
 *
 * @param bytes the most that all answers together take, at two a character
 */
export function keptDocuments(bytes: number): KeptDocuments {
  const kept = new LRUCache<string, { readonly list: WeakRef<object>; readonly document: JsonDocument }>({
    maxSize: bytes,
    sizeCalculation: ({ document }, key) => 2 * (document.text.length + key.length) + 200,
  });
  return {
    document(key, list, make) {
      const known = kept.get(key);
      if (known?.list.deref() === list) return known.document;
      const document = jsonDocument(make());
      kept.set(key, { list: new WeakRef(list), document });
      return document;
    },
  };
}
