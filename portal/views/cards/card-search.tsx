import { useState } from "preact/hooks";
import { formatDay } from "../../base/format.ts";
import { toAddress } from "../../base/route.ts";
import { useSession } from "../../base/session.ts";
import { ActionResult, useAction } from "../../components/action.tsx";
import { CardLink } from "../../components/card-link.tsx";
import { StateChip } from "../../components/state-chip.tsx";
import { texts } from "../../texts/texts.ts";
import { type FoundCard, findCardsOfPlayer, findNewestOfPlayer } from "./find-cards.ts";

/** The spellings of a card's name that are asked for at once: as typed, and in upper and lower case. */
const listSpellings = (name: string): string[] => [
  ...new Set([name, name.toUpperCase(), name.toLowerCase()]),
];

/** Finds the card of an ExternalID in upper or lower case, or else the cards of a player. A single one is opened. */
export function Search() {
  const session = useSession();
  const { api } = session;
  const [cards, setCards] = useState<readonly FoundCard[]>([]);
  const { state, run, isWorking } = useAction();
  const find = async (text: string) => {
    const asked = new URLSearchParams(listSpellings(text).map((one) => ["ExternalID", one]));
    const { cards } = await api.cards(`?${asked}`);
    const named = cards.find((card) => card.state !== "unknown");
    const inTournaments = named === undefined ? await findCardsOfPlayer(session, text) : [named];
    const found = inTournaments.length > 0 ? inTournaments : await findNewestOfPlayer(session, text);
    const [first] = found;
    if (first !== undefined && found.length === 1)
      location.hash = toAddress({ view: "card", externalId: first.externalId });
    setCards(found.length > 1 ? (found as readonly FoundCard[]) : []);
    return found.length === 0 ? texts.cards.notFound(text) : "";
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
      {cards.length > 0 && (
        <ul class="links">
          {cards.map(({ externalId, playerName, day, state: of }) => (
            <li key={externalId}>
              <CardLink externalId={externalId}>{playerName || externalId}</CardLink> {formatDay(day)}{" "}
              <StateChip state={of} />
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}
