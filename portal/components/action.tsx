import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "../texts/texts.ts";
import { failureText } from "./notices.tsx";
import { QuietButton } from "./quiet-button.tsx";

/** The state of an action: in progress, or its result. */
export interface ActionState {
  readonly status: "working" | "done" | "failed";
  readonly text: ComponentChildren;
}

/** Runs actions one at a time, and keeps the last one's result. */
export function useAction() {
  const [state, setState] = useState<ActionState>();
  const say = (text: string) => setState({ status: "working", text });
  /** @param action may say how far it is */
  const run = async (
    working: string,
    action: (say: (text: string) => void) => Promise<ComponentChildren>,
  ) => {
    say(working);
    try {
      setState({ status: "done", text: await action(say) });
    } catch (failure) {
      setState({ status: "failed", text: failureText(failure) });
    }
  };
  return { state, run, isWorking: state?.status === "working" };
}

/** An action's result, which screen readers read out when it changes. */
export function ActionResult({ state }: { readonly state: ActionState | undefined }) {
  const element = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The button that was pressed is disabled or gone by now, and the keyboard would begin at the top of the page again.
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    if (state !== undefined && (isLost || activeElement.matches(":disabled"))) element.current?.focus();
  }, [state]);
  return (
    <p class={`action-result ${state?.status ?? ""}`} role="status" tabIndex={-1} ref={element}>
      {state?.text}
    </p>
  );
}

/** A button that asks before it acts. */
export function ConfirmButton({
  label,
  title,
  text,
  confirm = label,
  kind = "",
  disabled,
  onConfirm,
}: {
  readonly label: string;
  readonly title: string;
  readonly text: string;
  /** What the button in the dialog says; by default the same. */
  readonly confirm?: string;
  readonly kind?: string;
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" class={kind} disabled={disabled} onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} aria-label={title}>
        <h2>{title}</h2>
        <p>{text}</p>
        <div class="actions">
          <button
            type="button"
            onClick={() => {
              dialog.current?.close();
              onConfirm();
            }}
          >
            {confirm}
          </button>
          <QuietButton onClick={() => dialog.current?.close()}>{texts.dialog.cancel}</QuietButton>
        </div>
      </dialog>
    </>
  );
}
