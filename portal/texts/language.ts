/** The language of the page, and how it writes figures and times. */
export interface ChosenLanguage {
  /** One of the page's languages. */
  readonly language: string;
  /** A tag that the Intl API accepts, e.g. `da-DK`. */
  readonly locale: string;
}

/**
 * The first of a reader's languages that the page has, and English if it has none.
 *
 * @param preferred the browser's tags, e.g. `["da-DK", "en"]`. Chromium under a POSIX locale sends `en-US@posix`, for which the Intl
 *   API throws a RangeError.
 * @param known the page's languages
 */
export function chooseLanguage(preferred: readonly string[], known: readonly string[]): ChosenLanguage {
  const locale = preferred.flatMap(validTag).find((tag) => known.includes(readLanguage(tag)));
  return locale === undefined ? { language: "en", locale: "en" } : { language: readLanguage(locale), locale };
}

const readLanguage = (tag: string) => new Intl.Locale(tag).language;

/** The tag without a POSIX modifier or encoding; none if it still is no tag. */
function validTag(tag: string): string[] {
  try {
    return Intl.getCanonicalLocales(tag.replace(/[@.].*$/, "").replaceAll("_", "-"));
  } catch {
    return [];
  }
}
