/**
 * Pattern of an instant with its offset, e.g. `2026-07-04T12:00:00Z`, for JSON Schema: a month has 31 days, and there is a year 0. It
 * has no `\d`, which means other digits, too, in some languages.
 *
 * @see RFC 3339, 5.6
 */
export const instantPattern =
  "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$";
