import { useRef } from "preact/hooks";
import { useSession } from "../../base/session.ts";
import { ActionResult, ConfirmButton, useAction } from "../../components/action.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { texts } from "../../texts/texts.ts";
import { webhookTypes } from "./webhook-types.ts";

/** How far back outcomes can be sent again, in hours. */
const spans = [1, 24, 168, 744] as const;
const hour = 3_600_000;

/** Sends outcomes of some time to an endpoint again, or counts them first. */
export function Replay({ id, isDisabled }: { readonly id: string; readonly isDisabled: boolean }) {
  const { api } = useSession();
  const { state, run, isWorking } = useAction();
  const form = useRef<HTMLFormElement>(null);
  const t = texts.webhooks;
  const replay = (preview: boolean) =>
    run(t.working, async () => {
      const fields = new FormData(form.current ?? undefined);
      const to = Date.now();
      const type = webhookTypes.find((one) => one === fields.get("type"));
      const { cards } = await api.replayWebhook(id, {
        from: new Date(to - Number(fields.get("hours")) * hour).toISOString(),
        to: new Date(to).toISOString(),
        ...(type && { types: [type] }),
        ...(preview && { preview }),
      });
      return preview ? t.counted(cards) : t.replayed(cards);
    });
  return (
    <details>
      <summary>{t.replay}</summary>
      <form ref={form} onSubmit={(event) => event.preventDefault()}>
        <label>
          {t.replayTime}{" "}
          <select name="hours">
            {spans.map((hours) => (
              <option key={hours} value={hours} selected={hours === 24}>
                {t.replaySpans[hours]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t.types}{" "}
          <select name="type">
            <option value="">{t.typesOfEndpoint}</option>
            {webhookTypes.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
        </label>
        <div class="actions">
          <QuietButton disabled={isWorking} onClick={() => void replay(true)}>
            {t.count}
          </QuietButton>
          <ConfirmButton
            label={t.replay}
            {...t.confirmReplay}
            kind="quiet-button"
            disabled={isWorking || isDisabled}
            onConfirm={() => void replay(false)}
          />
        </div>
      </form>
      <ActionResult state={state} />
    </details>
  );
}
