/** Records which cards of a file were accepted, so that none is sent twice. */
export interface Journal {
  /** Cards accepted by earlier runs. */
  readonly known: number;
  /** Whether the content last accepted under this ExternalID is the same. */
  has(externalId: string, json: string): boolean | Promise<boolean>;
  add(cards: readonly { readonly externalId: string; readonly json: string }[]): Promise<void>;
}
