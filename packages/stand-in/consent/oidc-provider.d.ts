declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  /** A step, such as login or consent, that the person at the browser must complete. */
  interface Interaction {
    readonly uid: string;
    readonly prompt: { readonly name: string; readonly details: { readonly missingOIDCScope?: string[] } };
    readonly params: { readonly client_id: string; readonly scope?: string };
    readonly session?: { readonly accountId: string };
  }

  interface AccessToken {
    readonly accountId: string;
    readonly clientId: string;
    readonly scopes: Set<string>;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    /** @returns its ID */
    save(): Promise<string>;
  }

  /** An authorization server. @see https://github.com/panva/node-oidc-provider/blob/main/docs/README.md */
  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    readonly AccessToken: { find(token: string): Promise<AccessToken | undefined> };
    readonly Grant: new (properties: {
      accountId: string;
      clientId: string;
    }) => Grant;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { mergeWithLastSubmission?: boolean },
    ): Promise<void>;
    on(event: "server_error", listener: (context: unknown, error: Error) => void): this;
  }
}
