import { useSession } from "../../base/session.ts";
import { ActionResult, useAction } from "../../components/action.tsx";
import { Panel } from "../../components/panel.tsx";
import { texts } from "../../texts/texts.ts";
import { webhookTypes } from "./webhook-types.ts";

export function NewEndpoint({
  onCreated,
}: {
  readonly onCreated: (created: { readonly id: string; readonly secret: string }) => void;
}) {
  const { api } = useSession();
  const { state, run, isWorking } = useAction();
  const submit = (form: HTMLFormElement) =>
    run(texts.webhooks.adding, async () => {
      const fields = new FormData(form);
      const types = webhookTypes.filter((type) => fields.has(type));
      onCreated(
        await api.createWebhook({
          url: String(fields.get("url") ?? "").trim(),
          ...(types.length < webhookTypes.length && { types: [...types] }),
        }),
      );
      form.reset();
      return texts.webhooks.done;
    });
  return (
    <Panel id="new-endpoint" title={texts.webhooks.add}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <label for="url">{texts.webhooks.url}</label>
        <input
          id="url"
          name="url"
          type="url"
          required
          maxLength={2048}
          placeholder="https://"
          aria-describedby="url-hint"
        />
        <p class="quiet" id="url-hint">
          {texts.webhooks.urlHint}
        </p>
        <fieldset>
          <legend>{texts.webhooks.types}</legend>
          {webhookTypes.map((type) => (
            <label key={type} class="check">
              <input type="checkbox" name={type} defaultChecked />
              <code>{type}</code>
            </label>
          ))}
        </fieldset>
        <button type="submit" disabled={isWorking}>
          {texts.webhooks.add}
        </button>
      </form>
      <ActionResult state={state} />
    </Panel>
  );
}
