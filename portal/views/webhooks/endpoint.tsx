import type { Webhook } from "@scorecard-pipeline/scorecards-client";
import { formatShortTime, formatUpcoming } from "../../base/format.ts";
import { useSession } from "../../base/session.ts";
import { ActionResult, ConfirmButton, useAction } from "../../components/action.tsx";
import { errorText } from "../../components/notices.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { StateChip } from "../../components/state-chip.tsx";
import { texts } from "../../texts/texts.ts";
import { Attempts } from "./webhook-attempts.tsx";
import { webhookTypes } from "./webhook-types.ts";

interface EndpointProps {
  readonly webhook: Webhook;
  readonly secret: string | undefined;
  readonly showSecret: (secret: string | undefined) => void;
  readonly refresh: () => void;
}

export function Endpoint({ webhook, secret, showSecret, refresh }: EndpointProps) {
  const { api } = useSession();
  const { state: action, run, isWorking } = useAction();
  const { id, url, roleArn, types, headers, pending, createdAt, lastTakenAt, state, failing, disabled } =
    webhook;
  const name = `webhook-${id}`;
  const change = (working: string, work: () => Promise<unknown>) =>
    run(working, async () => {
      await work();
      refresh();
      return texts.webhooks.done;
    });
  return (
    <section class="panel" aria-labelledby={name}>
      <div class="endpoint-head">
        <h2 id={name}>{url}</h2>
        <StateChip state={state} label={texts.webhooks.states[state]} />
      </div>
      {roleArn !== undefined && <p class="quiet">{texts.webhooks.sentBy(roleArn)}</p>}
      <p class="quiet">
        {texts.webhooks.created(formatShortTime(createdAt))} ·{" "}
        {lastTakenAt === undefined
          ? texts.webhooks.neverTaken
          : texts.webhooks.lastTaken(formatShortTime(lastTakenAt))}{" "}
        · {types.length >= webhookTypes.length ? texts.webhooks.allTypes : types.join(", ")}
        {headers !== undefined && ` · ${texts.webhooks.headers(headers.join(", "))}`}
        {pending > 0 && ` · ${texts.webhooks.pending(pending)}`}
      </p>
      {failing !== undefined && (
        <div class="notice fault">
          <p>{texts.webhooks.failing(formatShortTime(failing.since), failing.failures)}</p>
          <p class="words">{errorText(failing)}</p>
          <p>{texts.webhooks.nextAttempt(formatUpcoming(failing.nextAttemptAt))}</p>
        </div>
      )}
      {disabled !== undefined && (
        <p class="notice warning">
          {texts.webhooks.disabled[disabled.why]} {formatShortTime(disabled.at)}
        </p>
      )}
      {secret !== undefined && <Secret secret={secret} hide={() => showSecret(undefined)} />}
      <div class="actions">
        <button
          type="button"
          disabled={isWorking}
          onClick={() =>
            void run(texts.webhooks.testing, async () => {
              const { taken, status, message } = await api.testWebhook(id);
              refresh();
              if (taken) return texts.webhooks.taken(status === undefined ? "" : `, HTTP ${status}`);
              return texts.webhooks.notTaken(errorText({ status, message }));
            })
          }
        >
          {texts.webhooks.test}
        </button>
        <ConfirmButton
          label={texts.webhooks.rotate}
          {...texts.webhooks.confirmRotate}
          kind="quiet-button"
          disabled={isWorking}
          onConfirm={() =>
            void run(texts.webhooks.working, async () => {
              showSecret((await api.rotateWebhookSecret(id)).secret);
              return texts.webhooks.done;
            })
          }
        />
        <QuietButton
          disabled={isWorking}
          onClick={() =>
            void change(texts.webhooks.working, () =>
              api.changeWebhook(id, { enabled: state === "disabled" }),
            )
          }
        >
          {state === "disabled" ? texts.webhooks.enable : texts.webhooks.disable}
        </QuietButton>
        <ConfirmButton
          label={texts.webhooks.remove}
          {...texts.webhooks.confirmRemove}
          kind="quiet-button"
          disabled={isWorking}
          onConfirm={() => void change(texts.webhooks.working, () => api.removeWebhook(id))}
        />
      </div>
      <ActionResult state={action} />
      <Attempts id={id} isDisabled={state === "disabled"} />
    </section>
  );
}

function Secret({ secret, hide }: { readonly secret: string; readonly hide: () => void }) {
  const { state, run } = useAction();
  return (
    <section class="notice secret" aria-label={texts.webhooks.secret}>
      <p>
        <strong>{texts.webhooks.secret}</strong>: {texts.webhooks.secretNote}
      </p>
      <p>
        <code>{secret}</code>
      </p>
      <div class="actions">
        <QuietButton
          onClick={() =>
            void run("", async () => {
              await navigator.clipboard.writeText(secret);
              return texts.webhooks.secretCopied;
            })
          }
        >
          {texts.webhooks.copySecret}
        </QuietButton>
        <QuietButton onClick={hide}>{texts.webhooks.hideSecret}</QuietButton>
      </div>
      <ActionResult state={state} />
    </section>
  );
}
