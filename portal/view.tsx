import { type PortalRoute, toAddress } from "./base/route.ts";
import { firstView, useSession } from "./base/session.ts";
import { LoadedView } from "./components/loaded-view.tsx";
import { Empty } from "./components/notices.tsx";
import { texts } from "./texts/texts.ts";
import { ApiView } from "./views/api/api-view.tsx";
import { CardView } from "./views/card/card-view.tsx";
import { CardsView } from "./views/cards/cards-view.tsx";
import { OperatorView } from "./views/operations/operator-view.tsx";
import { OverviewView } from "./views/overview/overview-view.tsx";
import { RefusalsView } from "./views/refusals/refusals-view.tsx";
import { WebhooksView } from "./views/webhooks/webhooks-view.tsx";

/** Says that the address names no view, and where the account can begin. */
function Nowhere() {
  const { account } = useSession();
  return (
    <>
      <h1>{texts.nav.nowhere}</h1>
      <Empty title={texts.nowhere.title}>
        <p>{texts.nowhere.text}</p>
        <p>
          <a href={toAddress(firstView(account))}>{texts.nav[firstView(account).view]}</a>
        </p>
      </Empty>
    </>
  );
}

/** Not part of the page's first load: who sends cards needs it on the days of a tournament. */
const loadTournaments = () => import("./views/tournaments/tournaments.ts");

const loadTables = () => import("./views/tables/tables.ts");

export function View({ route }: { readonly route: PortalRoute }) {
  switch (route.view) {
    case "overview":
      return <OverviewView range={route.range} />;
    case "cards":
      return <CardsView filter={route.filter} />;
    case "card":
      return <CardView externalId={route.externalId} />;
    case "refusals":
      return <RefusalsView days={route.days} code={route.code} />;
    case "tournaments":
      return (
        <LoadedView
          load={loadTournaments}
          view={({ TournamentsView }) => <TournamentsView period={route.period} />}
        />
      );
    case "tournament":
      return (
        <LoadedView
          load={loadTournaments}
          view={({ TournamentView }) => <TournamentView shown={route.shown} />}
        />
      );
    case "send":
      return <LoadedView load={loadTables} view={({ SendView }) => <SendView />} />;
    case "webhooks":
      return <WebhooksView />;
    case "api":
      return <ApiView />;
    case "operator":
      return <OperatorView />;
    case "nowhere":
      return <Nowhere />;
  }
}
