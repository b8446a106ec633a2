import { useEffect, useMemo, useState } from "preact/hooks";
import { endSession, renewSession, type SignedIn } from "./base/account.ts";
import { createPortalApi } from "./base/api.ts";
import { createPlayerNames } from "./base/player-names.ts";
import { type PortalRoute, parseRoute, toAddress } from "./base/route.ts";
import { firstView, type Session, SessionContext } from "./base/session.ts";
import { Loading } from "./components/notices.tsx";
import { Frame } from "./frame.tsx";
import { setRunning } from "./tables/worker-slot.ts";
import { texts } from "./texts/texts.ts";
import { createTokenSource } from "./token-source.ts";
import { SignIn } from "./views/sign-in/sign-in.tsx";

/** The view that the address names, and its changes. */
function useRoute(): PortalRoute {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = () => setHash(location.hash);
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return useMemo(() => parseRoute(hash), [hash]);
}

/** Who has signed in; `asking` while it is not known whether the browser has a session, nobody with a reason to say. */
type Visitor = SignedIn | "asking" | { readonly reason?: "expired" | "notEnded" | "other" };

/** The portal. @param base address of the API with its stage */
export function App({ base }: { readonly base: string }) {
  const route = useRoute();
  const [visitor, setVisitor] = useState<Visitor>("asking");

  const arrive = (arrived: Exclude<Visitor, "asking">) => {
    const isPageAlone = /^#?\/?$/.test(location.hash);
    if ("account" in arrived && isPageAlone) {
      history.replaceState(null, "", toAddress(firstView(arrived.account)));
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
    const expire = () => setVisitor({ reason: "expired" });
    const signOut = (everywhere = false) => {
      setVisitor({});
      // Whoever only has to sign in again goes on with the table.
      setRunning(undefined);
      // Of a session that could not be ended the reader must know: a reload would go on with it.
      endSession(base, everywhere).catch(() => setVisitor({ reason: "notEnded" }));
    };
    const { account } = visitor;
    const renew = async () => {
      const renewed = await renewSession(base);
      if (renewed === undefined || renewed.account.username === account.username) return renewed;
      // Somebody else has signed in in another tab, and nothing is done in that account's name here.
      setVisitor({ reason: "other" });
      throw new Error("The browser's session is another account's.");
    };
    const token = createTokenSource(visitor, renew, expire);
    const api = createPortalApi(base, account, token);
    return {
      account,
      api,
      names: createPlayerNames(api, account.resources.includes("golfer")),
      base,
      token,
      expire,
      signOut,
    };
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
      <SignIn base={base} reason={"reason" in visitor ? visitor.reason : undefined} onSignedIn={arrive} />
    );
  }
  return (
    <SessionContext.Provider value={session}>
      <Frame session={session} route={route} />
    </SessionContext.Provider>
  );
}
