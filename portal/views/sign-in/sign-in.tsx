import { useEffect, useRef, useState } from "preact/hooks";
import { type SignedIn, SignInError, signIn } from "../../base/account.ts";
import { texts } from "../../texts/texts.ts";

interface SignInProps {
  readonly base: string;
  /** Why the reader is here although there was a session. */
  readonly reason: "expired" | "notEnded" | "other" | undefined;
  readonly onSignedIn: (signedIn: SignedIn) => void;
}

/** The form for user name and password. */
export function SignIn({ base, reason, onSignedIn }: SignInProps) {
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const shown = fault ?? (reason === undefined ? undefined : texts.signIn[reason]);
  const faultElement = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    document.title = `${shown === undefined ? "" : "! "}${texts.signIn.title} · ${texts.title}`;
    faultElement.current?.focus();
  }, [shown]);

  const submit = async (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const username = String(fields.get("username") ?? "");
    const password = String(fields.get("password") ?? "");
    setBusy(true);
    setFault(undefined);
    try {
      onSignedIn(await signIn(base, username, password));
    } catch (error) {
      setFault(texts.signIn[error instanceof SignInError ? error.reason : "failed"]);
      setBusy(false);
    }
  };

  return (
    <main class="sign-in">
      <p class="brand">
        <span class="flag" aria-hidden="true" />
        {texts.title}
      </p>
      <h1>{texts.signIn.title}</h1>
      <p>{texts.signIn.about}</p>
      {shown !== undefined && (
        <p class="notice fault" id="fault" role="alert" tabIndex={-1} ref={faultElement}>
          {shown}
        </p>
      )}
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <label for="username">{texts.signIn.username}</label>
        <input
          id="username"
          name="username"
          type="text"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
          maxLength={256}
          aria-describedby={shown === undefined ? undefined : "fault"}
        />
        <label for="password">{texts.signIn.password}</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          maxLength={256}
          aria-describedby={shown === undefined ? undefined : "fault"}
        />
        <button type="submit" disabled={isBusy}>
          {isBusy ? texts.signIn.submitting : texts.signIn.submit}
        </button>
      </form>
      <p class="quiet">{texts.signIn.note}</p>
    </main>
  );
}
