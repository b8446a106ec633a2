import { useEffect, useState } from "preact/hooks";
import type { CardPlayer } from "./player-names.ts";
import { useSession } from "./session.ts";

/** A row that is scrolled past in less is asked nothing for. */
const restMilliseconds = 250;

/** The name that is found, once it is; undefined until then. @param key names what is asked; @param delay milliseconds before it is */
function useFound(key: string, delay: number, find: () => Promise<string | undefined>): string | undefined {
  const [found, setFound] = useState<{ readonly key: string; readonly name: string | undefined }>();
  useEffect(() => {
    let isWanted = true;
    const timer = setTimeout(() => {
      void find().then((name) => {
        if (isWanted) setFound({ key, name });
      });
    }, delay);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key]);
  return found?.key === key ? found.name : undefined;
}

/** The name of a listed card's player, once the row has rested in the window. */
export function useNameOfCard(externalId: string, version: number | undefined): string | undefined {
  const { names } = useSession();
  return useFound(`${version} ${externalId}`, restMilliseconds, () => names.ofCard(externalId, version));
}

/** The name of a player whose card has been read. */
export function useNameOfPlayer(player: CardPlayer | undefined): string | undefined {
  const { names } = useSession();
  const { FullName, UnionID } = player ?? {};
  return useFound(`${FullName} ${UnionID}`, 0, async () => player && names.ofPlayer(player));
}
