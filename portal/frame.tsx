import { useErrorBoundary, useLayoutEffect, useRef } from "preact/hooks";
import { noteList } from "./base/last-list.ts";
import { type PortalRoute, toAddress } from "./base/route.ts";
import { maySee, type Session, selectNavigation } from "./base/session.ts";
import { Empty } from "./components/notices.tsx";
import { QuietButton } from "./components/quiet-button.tsx";
import { texts } from "./texts/texts.ts";
import { View } from "./view.tsx";
import { Search } from "./views/cards/card-search.tsx";

/** The view that lists what another one shows one of. */
const listViews: Readonly<Partial<Record<PortalRoute["view"], PortalRoute["view"]>>> = {
  card: "cards",
  tournament: "tournaments",
};

/** The header with the views that the account may see, and the view. */
export function Frame({ session, route }: { readonly session: Session; readonly route: PortalRoute }) {
  const { account, signOut } = session;
  /** Whether somebody has opened a view for developers; what a club has no use for is hidden until then. */
  const isDeveloper = useRef(!maySee(account, "cards"));
  isDeveloper.current ||= route.view === "webhooks" || route.view === "api";
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  /** How far down each address was scrolled. */
  const scrolled = useRef(new Map<string, number>());
  const viewBefore = useRef(route.view);
  const address = toAddress(route);
  const shown = listViews[route.view] ?? route.view;
  const place =
    route.view === "card"
      ? toAddress(route)
      : route.view === "tournament"
        ? `${route.view} ${route.shown.id} ${route.shown.from} ${route.shown.to}`
        : route.view;

  useLayoutEffect(() => {
    if (["cards", "tournament", "refusals"].includes(route.view)) noteList(address);
    const note = () => scrolled.current.set(address, scrollY);
    addEventListener("scroll", note, { passive: true });
    return () => removeEventListener("scroll", note);
  }, [address]);

  // With the view's first frame: later, the focus would be taken from a field that a quick reader has begun to fill in.
  useLayoutEffect(() => {
    const name = route.view === "card" ? `${texts.nav.card} ${route.externalId}` : texts.nav[route.view];
    document.title = `${name} · ${texts.title}`;
    // On a phone the views are wider than the window.
    document.querySelector(".top [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    // A screen reader goes on at the new view. A list that a reader comes back to is where it was left.
    scrollWhenDrawn(viewBefore.current === "card" ? (scrolled.current.get(address) ?? 0) : 0);
    viewBefore.current = route.view;
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
            <QuietButton onClick={() => signOut()}>{texts.signOut}</QuietButton>
          </p>
        </div>
        <nav aria-label={texts.nav.label}>
          <ul>
            {selectNavigation(account, isDeveloper.current).map((one) => (
              <li key={one.view}>
                <a href={toAddress(one)} aria-current={one.view === shown ? "page" : undefined}>
                  {texts.nav[one.view === "api" && !isDeveloper.current ? "developers" : one.view]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {maySee(account, "cards") && <Search key={place} />}
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
      <footer>
        <p class="quiet">{texts.operatorContact(account.operatorContact)}</p>
        <QuietButton onClick={() => signOut(true)}>{texts.signOutEverywhere}</QuietButton>
      </footer>
    </>
  );
}

const maxDrawMilliseconds = 3_000;

/** Scrolls the page down to a place, once what is read makes it so long. */
function scrollWhenDrawn(top: number, until = performance.now() + maxDrawMilliseconds): void {
  scrollTo(0, top);
  if (scrollY + 1 < top && performance.now() < until)
    requestAnimationFrame(() => scrollWhenDrawn(top, until));
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
