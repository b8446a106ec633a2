import { createClient } from "@scorecard-pipeline/scorecards-client";
import {
  type ConformanceReport,
  readReport,
  trafficText,
} from "@scorecard-pipeline/scorecards-client/conformance";
import { useState } from "preact/hooks";
import { useSession } from "../../base/session.ts";
import { createTokenFetch } from "../../base/token-fetch.ts";
import { ActionResult, useAction } from "../../components/action.tsx";
import { Panel } from "../../components/panel.tsx";
import { texts } from "../../texts/texts.ts";

const reportDays = 30;

/** Which deeds the API has seen of the vendor's app, as `scorecards-client conformance` tells them. */
export function DeedsPanel() {
  const { account, base: api, token } = useSession();
  const [report, setReport] = useState<ConformanceReport>();
  const { state, run, isWorking } = useAction();
  const ask = async () => {
    const { username, apiSet } = account;
    const client = createClient({ api, username, password: "", apiSet, fetch: createTokenFetch(token) });
    const read = await readReport(client, reportDays, { api, client: "portal" });
    setReport(read);
    return texts.api.deedsDone(read.done, read.deeds.length);
  };
  return (
    <Panel id="deeds" title={texts.api.deeds}>
      <p>{texts.api.aboutDeeds}</p>
      <button type="button" disabled={isWorking} onClick={() => void run(texts.loading, ask)}>
        {texts.api.askForDeeds}
      </button>
      <ActionResult state={state} />
      {report !== undefined && (
        <div lang="en">
          <p>{trafficText(report.traffic)}</p>
          <ul>
            {report.deeds.map(({ id, title, why, at }) => (
              <li key={id}>
                {at === undefined ? "☐" : "☑"} {title} <span class="quiet">{at ?? why}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  );
}
