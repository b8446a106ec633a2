import type { UnionMember } from "@scorecard-pipeline/stand-in";

/** What must never be in a log: who played, who asked, and with which secret. */
export interface PrivateData {
  /** Remembers what a request says of persons and secrets. */
  sent(path: string, headers: Readonly<Record<string, string>>, body: unknown): void;
  /** Lines of a log that have any of it, each with what kind it is. */
  foundIn(lines: readonly string[]): string[];
}

type Person = Partial<Record<"FullName" | "LifeTimeID" | "UnionID", unknown>>;

/** Shorter texts are in any log by chance. */
const shortest = 5;

/** Begins with what is known beforehand: the members of the union and the accounts' passwords. */
export function privateData(
  members: readonly UnionMember[],
  accounts: readonly { readonly username: string; readonly password: string }[],
): PrivateData {
  /** Names and secrets, found anywhere in a line; numbers, found as words, since GUIDs have the like within. */
  const texts = new Map<string, string>();
  const numbers = new Map<string, string>();
  const add = (to: Map<string, string>, kind: string, value: unknown): void => {
    if (typeof value === "string" && value.length >= shortest) to.set(value, kind);
  };
  const addPerson = ({ FullName, LifeTimeID, UnionID }: Person): void => {
    add(texts, "a name", FullName);
    add(numbers, "a LifeTimeID", LifeTimeID);
    add(numbers, "a UnionID", UnionID);
  };

  for (const { username, password } of accounts) {
    add(texts, "a password", password);
    add(texts, "credentials", Buffer.from(`${username}:${password}`).toString("base64"));
  }
  for (const { FirstName, LastName, LifeTimeID, Email, Memberships } of members) {
    addPerson({ FullName: `${FirstName} ${LastName}`, LifeTimeID });
    add(texts, "an e-mail address", Email);
    for (const { UnionID } of Memberships) addPerson({ UnionID });
  }

  return {
    sent(path, headers, body) {
      for (const [name, value] of new URLSearchParams(path.split("?").slice(1).join("&"))) {
        if (/^lifetimeid$|^unionid$/i.test(name)) add(numbers, "a number from a query", value);
      }
      for (const [name, value] of Object.entries(headers)) {
        if (/^token$|^authorization$/i.test(name))
          add(texts, `the header ${name}`, value.replace(/^Basic /, ""));
      }
      for (const card of Array.isArray(body) ? body : []) {
        addPerson((card as { Player?: Person } | null)?.Player ?? {});
        addPerson((card as { Marker?: Person } | null)?.Marker ?? {});
      }
    },
    foundIn(lines) {
      return lines.flatMap((line) => {
        const words = line.match(/[\w-]+/g) ?? [];
        const number = words.find((word) => numbers.has(word));
        const text = texts.keys().find((known) => line.includes(known));
        const kind = numbers.get(number ?? "") ?? texts.get(text ?? "");
        return kind === undefined ? [] : [`${kind} in: ${line}`];
      });
    },
  };
}
