import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { PortalAccount } from "./account.ts";
import type { PortalApi } from "./api.ts";
import type { createPlayerNames } from "./player-names.ts";
import type { PortalRoute } from "./route.ts";

/** Who has signed in. The page keeps the token in memory; a cookie that it cannot read gets it another one after a reload. */
export interface Session {
  readonly account: PortalAccount;
  readonly api: PortalApi;
  readonly names: ReturnType<typeof createPlayerNames>;
  /** Base address of the API with its stage. */
  readonly base: string;
  /** Has a valid token for a request. */
  readonly token: () => Promise<string>;
  /** Shows the form again: the API has refused the session, so that it has ended already. */
  expire(): void;
  /** Ends the session. @param everywhere whether all others of the account, too */
  signOut(everywhere?: boolean): void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session that a view is shown in. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("No view is shown without a session.");
  return session;
}

const reading = ["scorecards", "scorecards:read"];

/** The resources one of which an account needs for each view; undefined for a view that every account has. */
const resourcesOfView: Readonly<Record<PortalRoute["view"], readonly string[] | undefined>> = {
  overview: reading,
  cards: reading,
  card: reading,
  refusals: reading,
  tournaments: reading,
  tournament: reading,
  send: ["scorecards"],
  webhooks: ["scorecards"],
  api: undefined,
  operator: ["operations"],
  nowhere: undefined,
};

/** Views of what all clubs of an API set have. */
const viewsOfAllClubs: readonly PortalRoute["view"][] = ["overview", "refusals", "webhooks"];

type Viewer = Pick<PortalAccount, "resources" | "club">;

/** Whether an account may see a view. */
export function maySee(account: Viewer, view: PortalRoute["view"]): boolean {
  if (account.club !== undefined && viewsOfAllClubs.includes(view)) return false;
  const resources = resourcesOfView[view];
  return resources === undefined || resources.some((resource) => account.resources.includes(resource));
}

const navigation: readonly PortalRoute[] = [
  { view: "overview", range: "24h" },
  { view: "cards", filter: {} },
  { view: "tournaments", period: { days: 31 } },
  { view: "send" },
  { view: "refusals", days: 7 },
  { view: "webhooks" },
  { view: "api" },
  { view: "operator" },
];

/** The views that the header leads an account to. @param isDeveloper whether somebody has asked for those of developers */
export const selectNavigation = (account: Viewer, isDeveloper: boolean): readonly PortalRoute[] =>
  navigation.filter(({ view }) => maySee(account, view) && (isDeveloper || view !== "webhooks"));

/** The view that an account begins with. */
export function firstView(account: Viewer): PortalRoute {
  if (maySee(account, "overview")) return { view: "overview", range: "24h" };
  if (maySee(account, "tournaments")) return { view: "tournaments", period: { days: 31 } };
  return maySee(account, "operator") ? { view: "operator" } : { view: "api" };
}
