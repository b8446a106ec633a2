import { daysBefore, formatCount } from "../../base/format.ts";
import { toAddress } from "../../base/route.ts";
import { useSession } from "../../base/session.ts";
import { ActionResult, useAction } from "../../components/action.tsx";
import { texts } from "../../texts/texts.ts";
import { listSpellings } from "./keep-reading.ts";

/** Days that a search by a part of a name looks through, and those that it can be extended to, the most that the API lists. */
const searchDays = 7;

const maxSearchDays = 31;

/** What a search by a part of a name has looked through, and how to look further. */
export function SearchNote({
  name,
  from,
  today,
}: {
  readonly name: string;
  readonly from: string;
  readonly today: string;
}) {
  const firstDay = daysBefore(today, maxSearchDays - 1);
  const days = Math.round((Date.parse(today) - Date.parse(from)) / 86_400_000) + 1;
  return (
    <p class="notice">
      <strong>{texts.cards.searched(name)}.</strong> {texts.cards.searchedDays(formatCount(days))}{" "}
      {from > firstDay && (
        <a href={toAddress({ view: "cards", filter: { from: firstDay, name } })}>
          {texts.cards.searchFurther(formatCount(maxSearchDays))}
        </a>
      )}{" "}
      <a href={toAddress({ view: "cards", filter: {} })}>{texts.cards.searchEnd}</a>
    </p>
  );
}

/** Finds the card of an ExternalID in any spelling, and otherwise the recent ones whose ExternalID has the text in it. */
export function Search({ today, name }: { readonly today: string; readonly name: string | undefined }) {
  const { api } = useSession();
  const { state, run, isWorking } = useAction();
  const find = async (text: string) => {
    const asked = new URLSearchParams(listSpellings(text).map((one) => ["ExternalID", one]));
    const { cards } = await api.cards(`?${asked}`);
    const found = cards.find((card) => card.state !== "unknown");
    location.hash = toAddress(
      found === undefined
        ? { view: "cards", filter: { from: daysBefore(today, searchDays - 1), name: text } }
        : { view: "card", externalId: found.externalId },
    );
    return "";
  };
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          const text = String(new FormData(event.currentTarget).get("externalId") ?? "").trim();
          if (text !== "") void run(texts.cards.searching, () => find(text));
        }}
      >
        <label for="search">{texts.cards.search}</label>
        <input
          id="search"
          name="externalId"
          type="search"
          defaultValue={name}
          maxLength={256}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <button type="submit" disabled={isWorking}>
          {texts.cards.find}
        </button>
      </form>
      <ActionResult state={state} />
    </search>
  );
}
