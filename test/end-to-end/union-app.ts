/** What the app keeps of a course between two nights. */
export interface KeptCourse {
  readonly ID: string;
  readonly TemplateID: string;
  readonly ActivationDate: string;
  readonly Tees: readonly { readonly TotalLength: number }[];
}

/** Where it asks, and as whom. */
export interface UnionAppOptions {
  readonly baseUrl: string;
  readonly apiSet: string;
  readonly username: string;
  readonly password: string;
}

/**
 * A client that behaves as the union's own app does: paths and query names in lower case, no Token header but where a
 * player has logged in, success on 200 and 201 and nothing else, and every night what changed, club by club.
 */
export function unionApp({ baseUrl, apiSet, username, password }: UnionAppOptions) {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

  async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(`${baseUrl}/${apiSet}/${path}`, {
      ...init,
      headers: {
        authorization,
        "content-type": "application/json",
        accept: "application/json",
        ...(init.headers as Record<string, string> | undefined),
      },
    });
    if (response.status !== 200 && response.status !== 201) throw new Error(`HTTP ${response.status}`);
    return (await response.json()) as T;
  }

  return {
    clubs: () => ask<{ readonly ID: string }[]>("clubs"),
    /** @param since of the last night, in the union's format */
    coursesSince: (clubId: string, since: string) =>
      ask<KeptCourse[]>(
        `clubs/${clubId.toLowerCase()}/courses?active=1&sort=ActivationDate:1&sortTee=TotalLength:1&changedsince=${since}`,
      ),
    golfer: (unionId: string) => ask<{ readonly LifeTimeID: string }>(`clubs/golfer?unionid=${unionId}`),
    golferByAccessToken: (token: string) =>
      ask<{ readonly LifeTimeID: string }>("clubs/golfer_byaccesstoken", { headers: { token } }),
    playerRecord: (clubId: string, unionId: string) =>
      ask<{ readonly Round: { readonly StartTime: string }; readonly Result: { readonly SGD?: unknown } }[]>(
        `clubs/${clubId.toLowerCase()}/memberships/scorecards?unionid=${unionId}`,
      ),
    submit: (cards: readonly unknown[]) =>
      ask<{ readonly ExternalID: string }[]>("clubs/members/exchangedscorecards", {
        method: "POST",
        body: JSON.stringify(cards),
      }),
  };
}
