import { useState } from "preact/hooks";
import { useLive } from "../../base/live.ts";
import { useSession } from "../../base/session.ts";
import { Empty, ReadState, ViewTitle } from "../../components/notices.tsx";
import { texts } from "../../texts/texts.ts";
import { Endpoint } from "./endpoint.tsx";
import { NewEndpoint } from "./new-endpoint.tsx";

const maxEndpoints = 5;

/** A vendor's webhook endpoints. */
export function WebhooksView() {
  const { api } = useSession();
  const [live, refresh] = useLive("webhooks", 10, (signal) => api.webhooks({ signal }));
  // A secret is shown once: it is not in any later answer.
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const showSecret = (id: string, secret: string | undefined) =>
    setSecrets(({ [id]: _, ...others }) => (secret === undefined ? others : { ...others, [id]: secret }));
  const webhooks = live.data ?? [];
  return (
    <>
      <ViewTitle title={texts.webhooks.title} live={live} refresh={refresh} />
      <p class="quiet">{texts.webhooks.about}</p>
      <ReadState live={live} retry={refresh} />
      {live.data !== undefined && webhooks.length === 0 && (
        <Empty title={texts.webhooks.none.title}>
          <p>{texts.webhooks.none.text}</p>
        </Empty>
      )}
      {webhooks.map((webhook) => (
        <Endpoint
          key={webhook.id}
          webhook={webhook}
          secret={secrets[webhook.id]}
          showSecret={(secret) => showSecret(webhook.id, secret)}
          refresh={refresh}
        />
      ))}
      {live.data !== undefined && webhooks.length < maxEndpoints && (
        <NewEndpoint
          onCreated={({ id, secret }) => {
            showSecret(id, secret);
            refresh();
          }}
        />
      )}
    </>
  );
}
