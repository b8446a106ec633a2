import { useEffect, useErrorBoundary, useMemo, useRef, useState } from "preact/hooks";
import { endSession, renewSession, type SignedIn } from "./account.ts";
import { portalApi } from "./api.ts";
import { LoadedView } from "./components/loaded-view.tsx";
import { Empty, Loading } from "./components/notices.tsx";
import { addressOf, type PortalRoute, routeOf } from "./route.ts";
import { firstView, maySee, type Session, SessionContext, useSession } from "./session.ts";
import { endTables } from "./tables/worker-slot.ts";
import { texts } from "./texts/texts.ts";
import { tokenSource } from "./token-source.ts";
import { ApiView } from "./views/api/api-view.tsx";
import { CardView } from "./views/card/card-view.tsx";
import { CardsView } from "./views/cards/cards-view.tsx";
import { OperatorView } from "./views/operations/operator-view.tsx";
import { OverviewView } from "./views/overview/overview-view.tsx";
import { RefusalsView } from "./views/refusals/refusals-view.tsx";
import { SignIn } from "./views/sign-in/sign-in.tsx";
import { WebhooksView } from "./views/webhooks/webhooks-view.tsx";

/** The view that the address names, and its changes. */
function useRoute(): PortalRoute {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = () => setHash(location.hash);
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return useMemo(() => routeOf(hash), [hash]);
}

/** Who has signed in; `asking` while it is not known whether the browser has a session, nobody with a reason to say. */
type Visitor = SignedIn | "asking" | { readonly reason?: "expired" | "notEnded" };

/** Whether the address names a view, and not only the page. */
const hasView = () => !/^#?\/?$/.test(location.hash);

/** The portal. @param base address of the API with its stage */
export function App({ base }: { readonly base: string }) {
  const route = useRoute();
  const [visitor, setVisitor] = useState<Visitor>("asking");

  const arrive = (arrived: Exclude<Visitor, "asking">) => {
    if ("account" in arrived && !hasView()) {
      history.replaceState(null, "", addressOf(firstView(arrived.account)));
      // `replaceState` fires no event, so the change is announced here.
      dispatchEvent(new HashChangeEvent("hashchange"));
    }
    setVisitor(arrived);
  };

  useEffect(() => {
    let isLatest = true;
    const resume = async () => {
      setVisitor("asking");
      // Without an answer the form is shown, which says why if that has none either.
      const signedIn = await renewSession(base).catch(() => undefined);
      if (isLatest) arrive(signedIn ?? {});
    };
    // A page that is left may be kept as it is, and come back to somebody else.
    const forget = () => setVisitor("asking");
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void resume();
    };
    void resume();
    addEventListener("pagehide", forget);
    addEventListener("pageshow", onShow);
    return () => {
      isLatest = false;
      removeEventListener("pagehide", forget);
      removeEventListener("pageshow", onShow);
    };
  }, [base]);

  const session = useMemo<Session | undefined>(() => {
    if (visitor === "asking" || !("token" in visitor)) return undefined;
    const signOut = (refused = false) => {
      setVisitor(refused ? { reason: "expired" } : {});
      // Whoever only has to sign in again goes on with the table.
      if (!refused) endTables();
      // Of a session that could not be ended the reader must know: a reload would go on with it.
      if (!refused) endSession(base).catch(() => setVisitor({ reason: "notEnded" }));
    };
    const token = tokenSource(
      visitor,
      () => renewSession(base),
      () => signOut(true),
    );
    return { account: visitor.account, api: portalApi(base, visitor.account, token), base, token, signOut };
  }, [base, visitor]);

  if (visitor === "asking") {
    return (
      <main>
        <h1 class="said">{texts.title}</h1>
        <Loading />
      </main>
    );
  }
  if (session === undefined) {
    return (
      <SignIn
        base={base}
        reason={"reason" in visitor ? visitor.reason : undefined}
        hasView={hasView()}
        onSignedIn={arrive}
      />
    );
  }
  return (
    <SessionContext.Provider value={session}>
      <Frame session={session} route={route} />
    </SessionContext.Provider>
  );
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

/** The view that lists what another one shows one of. */
const listOf: Readonly<Partial<Record<PortalRoute["view"], PortalRoute["view"]>>> = {
  card: "cards",
  tournament: "tournaments",
};

/** The header with the views that the account may see, and the view. */
function Frame({ session, route }: { readonly session: Session; readonly route: PortalRoute }) {
  const { account, signOut } = session;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const shown = listOf[route.view] ?? route.view;
  const place =
    route.view === "card"
      ? addressOf(route)
      : route.view === "tournament"
        ? `${route.view} ${route.shown.id} ${route.shown.from} ${route.shown.to}`
        : route.view;

  useEffect(() => {
    const name = route.view === "card" ? `${texts.nav.card} ${route.externalId}` : texts.nav[route.view];
    document.title = `${name} · ${texts.title}`;
    // On a phone the views are wider than the window.
    document.querySelector(".top [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    // A screen reader goes on at the new view, and a long list's position is not the next view's.
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [place]);

  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {texts.skip}
      </button>
      <header class="top">
        <div class="bar">
          <p class="brand">
            <span class="flag" aria-hidden="true" />
            {texts.title}
          </p>
          <p class="who">
            <span class="name">{account.username}</span>
            <span class="stage">{texts.stage(account.stage)}</span>
            <button type="button" class="quiet-button" onClick={() => signOut()}>
              {texts.signOut}
            </button>
          </p>
        </div>
        <nav aria-label={texts.nav.label}>
          <ul>
            {navigation
              .filter(({ view }) => maySee(account, view))
              .map((one) => (
                <li key={one.view}>
                  <a href={addressOf(one)} aria-current={one.view === shown ? "page" : undefined}>
                    {texts.nav[one.view]}
                  </a>
                </li>
              ))}
          </ul>
        </nav>
      </header>
      <main id="content" tabIndex={-1} ref={main}>
        {maySee(account, route.view) ? (
          <Guarded key={place}>
            <View route={route} />
          </Guarded>
        ) : (
          <>
            <h1>{texts.nav[route.view]}</h1>
            <Empty title={texts.notGranted.title}>
              <p>{texts.notGranted.text}</p>
            </Empty>
          </>
        )}
      </main>
    </>
  );
}

/** Shows that a view has failed, instead of an empty page. */
function Guarded({ children }: { readonly children: preact.ComponentChildren }) {
  const [error, reset] = useErrorBoundary((thrown: unknown) => console.error(thrown));
  if (error === undefined) return <>{children}</>;
  return (
    <Empty title={texts.failure.title}>
      <button type="button" onClick={reset}>
        {texts.failure.again}
      </button>
    </Empty>
  );
}

/** Says that the address names no view, and where the account can begin. */
function Nowhere() {
  const { account } = useSession();
  return (
    <>
      <h1>{texts.nav.nowhere}</h1>
      <Empty title={texts.nowhere.title}>
        <p>{texts.nowhere.text}</p>
        <p>
          <a href={addressOf(firstView(account))}>{texts.nav[firstView(account).view]}</a>
        </p>
      </Empty>
    </>
  );
}

/** Not part of the page's first load: who sends cards needs it on the days of a tournament. */
const loadTournaments = () => import("./views/tournaments/tournaments.ts");
const loadTables = () => import("./views/tables/tables.ts");

function View({ route }: { readonly route: PortalRoute }) {
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
