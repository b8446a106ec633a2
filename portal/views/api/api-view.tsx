import type { AccountOperation } from "../../base/account.ts";
import { useSession } from "../../base/session.ts";
import { Fact } from "../../components/fact.tsx";
import { LoadedView } from "../../components/loaded-view.tsx";
import { MarkedText } from "../../components/marked-text.tsx";
import { ViewTitle } from "../../components/notices.tsx";
import { texts } from "../../texts/texts.ts";

/** Few look at it, and it needs the whole client. */
const loadDeeds = () => import("./deeds.tsx");

/** The requests that the account may make, with an example of each. */
export function ApiView() {
  const { account } = useSession();
  const { username, base, apiSet, operations, requests } = account;
  const byResource = [...Map.groupBy(operations, ({ resource }) => resource)];
  return (
    <>
      <ViewTitle title={texts.api.title} />
      <p>{texts.api.about(username)}</p>
      <dl class="panel facts">
        <Fact name={texts.api.base}>
          <code>{base}</code>
        </Fact>
        <Fact name={texts.api.apiSet}>
          <code>{apiSet}</code>
        </Fact>
        <Fact name={texts.api.vendorAddress}>
          <code>
            {base}/{apiSet}
          </code>
        </Fact>
        <Fact name={texts.api.credentials}>{texts.api.basic}</Fact>
        <Fact name={texts.api.requests}>{requests}</Fact>
      </dl>
      <p class="quiet">
        {texts.api.document} <a href="reference">{texts.api.reference}</a>; {texts.api.forPrograms}{" "}
        <a href="openapi.json">openapi.json</a>.
      </p>
      {account.resources.includes("scorecards") && (
        <LoadedView load={loadDeeds} view={({ DeedsPanel }) => <DeedsPanel />} />
      )}
      {byResource.map(([resource, of]) => (
        <section class="resource" key={resource} aria-labelledby={`resource-${resource}`}>
          <h2 id={`resource-${resource}`}>{resource}</h2>
          {of.map((operation) => (
            <Operation key={`${operation.method} ${operation.path}`} operation={operation} />
          ))}
        </section>
      ))}
    </>
  );
}

function Operation({ operation }: { readonly operation: AccountOperation }) {
  const { method, path, summary, description, note, example } = operation;
  return (
    <details class="panel operation">
      <summary>
        <span class="method">{method}</span>
        <span class="summary">{summary}</span>
        <code>{path}</code>
      </summary>
      <p>
        <MarkedText text={description} />
      </p>
      {note !== undefined && <p class="quiet">{note}</p>}
      <pre>
        <code>{example}</code>
      </pre>
    </details>
  );
}
