/**
 * Words of failure, in the languages of the unions that we know: the document does not say how the exchange refuses a card
 * within a 2xx response.
 */
const failureWords =
  /reject|refus|declin|denied|invalid|error|exception|fail|violation|(?<!de)faults?|problem|conflict|duplicate|unprocessable|discard|dropped|skipped|ignored|forbidden|unauthori|unavailable|readonly|time(d)?out|cancel|abort|not(accepted|saved|stored|imported|valid|ok|found|delivered|allowed|possible)|afvis|avvis|fejl|feil|ugyldig|ogiltig/;
const noFailure = /\b(no|none|0|zero|without( any)?) (errors?|exceptions?|failures?|faults?|problems?)\b/g;
const successWords =
  /^(ok|okay|success\w*|succeeded|accepted|received|created|saved|stored|imported|queued|processed|completed?|done)\b/;

const splitWords = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const statusNames = splitWords(
  "status statuscode statustext statusdescription httpstatus httpstatuscode state code responsecode resultcode returncode result outcome verdict answer",
);
const messageNames = splitWords(
  "message messages msg detail details title reason description text info statusmessage responsemessage remark note",
);
const successNames = splitWords(
  "success successful succeeded ok accepted valid saved stored issuccess issuccessful isaccepted isok isvalid issaved",
);

const toLetters = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, "");

/** Whether a name says that its content failed, e.g. `Rejected`, `ErrorMessage`, `invalid_cards`. */
export const namesFailure = (name: string): boolean => failureWords.test(toLetters(name));

/** Whether a name is that of a text for people. */
export const namesMessage = (name: string): boolean => messageNames.has(toLetters(name));

/** Whether the value of a field such as `Errors` says that there are none. */
export function isNothing(value: unknown): boolean {
  if (typeof value === "string") return /^(0|no|none|null|false|ok|success|no errors?|)$/i.test(value.trim());
  if (Array.isArray(value)) return value.every((entry) => entry === null || entry === "");
  if (typeof value === "object" && value !== null) {
    return Object.values(value).every((inner) => typeof inner !== "object" && isNothing(inner));
  }
  return value === undefined || value === null || value === false || value === 0;
}

function textFails(text: string): boolean {
  const [, code] = /^\s*(-?\d{1,3})\b/.exec(text) ?? [];
  if (code !== undefined && (Number(code) >= 400 || Number(code) < 0)) return true;
  return failureWords.test(toLetters(text.toLowerCase().replace(noFailure, "")));
}

function statusFails(value: unknown): boolean {
  if (typeof value === "number") return value >= 400 || value < 0;
  return typeof value === "string" && textFails(value);
}

/** Whether a field says that something failed: a status, a message, or a success that is none. */
export function saysFailure(name: string, value: unknown): boolean {
  const letters = toLetters(name);
  if (statusNames.has(letters)) return statusFails(value);
  if (messageNames.has(letters)) return typeof value === "string" && textFails(value);
  if (!successNames.has(letters)) return false;
  return typeof value === "string" ? /^\s*(false|no)\s*$/i.test(value) : value === false;
}

/** Whether a field says that something succeeded. */
export function saysSuccess(name: string, value: unknown): boolean {
  const letters = toLetters(name);
  if (successNames.has(letters)) return value === true;
  if (!statusNames.has(letters) && !messageNames.has(letters)) return false;
  if (typeof value === "number") return value >= 200 && value < 300;
  return (
    typeof value === "string" && (/^\s*2\d\d\b/.test(value) || successWords.test(value.trim().toLowerCase()))
  );
}

/** The HTTP status of a failure, from 400 to 599, that a field says; undefined if it says none. */
export function failingStatus(name: string, value: unknown): number | undefined {
  if (!statusNames.has(toLetters(name)) || (typeof value !== "number" && typeof value !== "string")) {
    return undefined;
  }
  const [, code] = /^\s*([45]\d\d)\b/.exec(String(value)) ?? [];
  return code === undefined ? undefined : Number(code);
}
