import type { QueueAccess } from "@scorecard-pipeline/scorecards-client";
import { useState } from "preact/hooks";
import { useLive } from "../../base/live.ts";
import { useSession } from "../../base/session.ts";
import { ReadState } from "../../components/notices.tsx";
import { texts } from "../../texts/texts.ts";

/** The field that makes a new endpoint a queue of the vendor's own AWS account, with what the queue's role has to trust. */
export function QueueFields() {
  const [isOpen, setOpen] = useState(false);
  const t = texts.webhooks.queue;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t.title}</summary>
      <p class="quiet">{t.about}</p>
      <label for="roleArn">{t.role}</label>
      <input id="roleArn" name="roleArn" placeholder="arn:aws:iam::" maxLength={2048} />
      {isOpen && <Trust />}
    </details>
  );
}

const secondsBetween = 3_600;

function Trust() {
  const { api } = useSession();
  const [live, refresh] = useLive("queue access", secondsBetween, (signal) => api.queueAccess({ signal }));
  const t = texts.webhooks.queue;
  return (
    <>
      <ReadState live={live} retry={refresh} />
      {live.data !== undefined && (
        <>
          <p>{t.trust(live.data.roleNamePrefix)}</p>
          <pre>
            <code>{JSON.stringify(trustPolicy(live.data), null, 2)}</code>
          </pre>
        </>
      )}
    </>
  );
}

const trustPolicy = ({ principal, externalId }: QueueAccess) => ({
  Version: "2012-10-17",
  Statement: [
    {
      Effect: "Allow",
      Principal: { AWS: principal },
      Action: "sts:AssumeRole",
      Condition: { StringEquals: { "sts:ExternalId": externalId } },
    },
  ],
});
