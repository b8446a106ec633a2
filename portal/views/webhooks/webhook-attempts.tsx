import { useState } from "preact/hooks";
import { formatShortTime } from "../../base/format.ts";
import { useLive } from "../../base/live.ts";
import { useSession } from "../../base/session.ts";
import { ActionResult, useAction } from "../../components/action.tsx";
import { Figures } from "../../components/figures.tsx";
import { errorText, failureText, ReadState } from "../../components/notices.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { texts } from "../../texts/texts.ts";

/** The last posts to an endpoint, which are read once somebody wants to see them. */
export function Attempts({ id, isDisabled }: { readonly id: string; readonly isDisabled: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.webhooks.attempts}</summary>
      {isOpen && <AttemptTable id={id} isDisabled={isDisabled} />}
    </details>
  );
}

/** The type of an event, which shows the body that was posted. */
function PostedEvent(of: { readonly id: string; readonly attempt: string; readonly type: string }) {
  const { api } = useSession();
  const [body, setBody] = useState<string>();
  const show = () =>
    api.webhookAttempt(of.id, of.attempt).then(
      ({ event }) => setBody(JSON.stringify(event, null, 2)),
      (failure: unknown) => setBody(failureText(failure)),
    );
  return (
    <details onToggle={({ currentTarget }) => void (currentTarget.open && body === undefined && show())}>
      <summary>{of.type}</summary>
      <pre>
        <code>{body ?? texts.loading}</code>
      </pre>
    </details>
  );
}

function AttemptTable({ id, isDisabled }: { readonly id: string; readonly isDisabled: boolean }) {
  const { api } = useSession();
  const [live, refresh] = useLive(`attempts ${id}`, 10, (signal) => api.webhookAttempts(id, { signal }));
  const { state, run, isWorking } = useAction();
  const t = texts.webhooks;
  const attempts = live.data ?? [];
  return (
    <>
      <ReadState live={live} retry={refresh} />
      {live.data !== undefined && attempts.length === 0 && <p class="quiet">{t.noAttempts}</p>}
      {attempts.length > 0 && (
        <div class="figures-scroll">
          <Figures headings={[t.attemptedAt, t.event, t.result, t.duration, t.resend]}>
            {attempts.map(({ id: attemptId, at, type, taken, status, message, milliseconds }) => (
              <tr key={attemptId}>
                <td>{formatShortTime(at)}</td>
                <td>
                  {type === undefined ? t.notKept : <PostedEvent id={id} attempt={attemptId} type={type} />}
                </td>
                <td>{taken ? t.attemptTaken(status) : errorText({ status, message })}</td>
                <td>{t.milliseconds(milliseconds)}</td>
                <td>
                  <QuietButton
                    disabled={isWorking || isDisabled || type === undefined}
                    onClick={() =>
                      void run(t.working, async () => {
                        await api.resendWebhookEvent(id, attemptId);
                        refresh();
                        return t.resent;
                      })
                    }
                  >
                    {t.resend}
                  </QuietButton>
                </td>
              </tr>
            ))}
          </Figures>
        </div>
      )}
      <ActionResult state={state} />
    </>
  );
}
