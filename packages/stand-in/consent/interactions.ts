import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type Provider from "oidc-provider";
import type { UnionMember } from "../register/records.ts";
import { consentPage, loginPage, refusedPage } from "./pages.ts";

/** How players log in. */
interface PlayerLogin {
  readonly findMember: (number: string) => UnionMember | undefined;
  /** Path prefix of the pages. */
  readonly mount: string;
  /** Password of every member. */
  readonly password: string;
}

function show(response: ServerResponse, html: string, status = 200): void {
  response.writeHead(status, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" });
  response.end(html);
}

/**
 * Serves the pages that a player sees: login and consent.
 *
 * - `GET /interaction/{uid}` the next page
 * - `POST /interaction/{uid}/login` number and password
 * - `POST /interaction/{uid}/consent` answer=allow or deny
 */
export function interactionListener(provider: Provider, login: PlayerLogin): RequestListener {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { uid, prompt, params, session } = await provider.interactionDetails(request, response);
    const address = `${login.mount}/interaction/${uid}`;
    const asked = prompt.details.missingOIDCScope ?? [];
    if (request.method !== "POST") {
      show(
        response,
        prompt.name === "login" ? loginPage(address, false) : consentPage(address, params.client_id, asked),
      );
      return;
    }
    const form = new URLSearchParams(await text(request));
    if (prompt.name === "login") {
      const member = login.findMember(form.get("number") ?? "");
      if (member === undefined || form.get("password") !== login.password) {
        show(response, loginPage(address, true), 401);
        return;
      }
      await provider.interactionFinished(request, response, { login: { accountId: member.ID } });
      return;
    }
    if (form.get("answer") !== "allow") {
      const refused = { error: "access_denied", error_description: "The player did not consent." };
      await provider.interactionFinished(request, response, refused);
      return;
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: params.client_id });
    for (const scope of asked) grant.addOIDCScope(scope);
    const consent = { consent: { grantId: await grant.save() } };
    await provider.interactionFinished(request, response, consent, { mergeWithLastSubmission: true });
  }

  return (request, response) => {
    answer(request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy();
      else show(response, refusedPage(error.message), 400);
    });
  };
}
