import { toAddress } from "../../base/route.ts";
import { useSession } from "../../base/session.ts";
import { ActionResult, useAction } from "../../components/action.tsx";
import { texts } from "../../texts/texts.ts";

/** The spellings of a card's name that are asked for at once: as typed, and in upper and lower case. */
const listSpellings = (name: string): string[] => [
  ...new Set([name, name.toUpperCase(), name.toLowerCase()]),
];

/** Finds the card of an ExternalID in upper or lower case. Its page says so if there is none. */
export function Search() {
  const { api } = useSession();
  const { state, run, isWorking } = useAction();
  const find = async (text: string) => {
    const asked = new URLSearchParams(listSpellings(text).map((one) => ["ExternalID", one]));
    const { cards } = await api.cards(`?${asked}`);
    const found = cards.find((card) => card.state !== "unknown");
    location.hash = toAddress({ view: "card", externalId: found?.externalId ?? text });
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
