import { createClient } from "@scorecard-pipeline/scorecards-client";
import {
  type ConformanceReport,
  readReport,
  trafficText,
} from "@scorecard-pipeline/scorecards-client/conformance";
import { useState } from "preact/hooks";
import { useSession } from "../../base/session.ts";
import { createTokenFetch } from "../../base/token-fetch.ts";
import { Failure, Loading } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { texts } from "../../texts/texts.ts";

const reportDays = 30;

/** Which deeds the API has seen of the vendor's app, as `scorecards-client conformance` tells them. */
export function DeedsPanel() {
  const { account, base, token } = useSession();
  const [report, setReport] = useState<ConformanceReport>();
  const [failure, setFailure] = useState<unknown>();
  const [isAsking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    setFailure(undefined);
    const { username, apiSet } = account;
    const client = createClient({
      api: base,
      username,
      password: "",
      apiSet,
      fetch: createTokenFetch(token),
    });
    const about = { api: base, client: "portal" };
    await readReport(client, reportDays, about).then(setReport, setFailure);
    setAsking(false);
  };
  return (
    <Panel id="deeds" title={texts.api.deeds}>
      <p>{texts.api.aboutDeeds}</p>
      <Failure live={{ failure }} retry={() => void ask()} />
      {isAsking ? (
        <Loading />
      ) : (
        <button type="button" onClick={() => void ask()}>
          {texts.api.askForDeeds}
        </button>
      )}
      {report !== undefined && (
        <>
          <p role="status">{texts.api.deedsDone(report.done, report.deeds.length)}</p>
          <p lang="en">{trafficText(report.traffic)}</p>
          <ul lang="en">
            {report.deeds.map(({ id, title, why, at }) => (
              <li key={id}>
                {at === undefined ? "☐" : "☑"} {title} <span class="quiet">{at ?? why}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
