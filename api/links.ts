/** An operation whose parameters come from a response, as OpenAPI's Link Object. */
export interface Link {
  readonly operationId: string;
  readonly description: string;
  /** By parameter of that operation, a runtime expression. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** What a client can call next with values of a response, by link name. @see https://spec.openapis.org/oas/v3.1.1.html#link-object */
export type Links = Readonly<Record<string, Link>>;

const linkBy =
  (parameters: Link["parameters"]) =>
  (operationId: string, description: string): Link => ({
    operationId,
    description,
    parameters: { apiset: "$request.path.apiset", ...parameters },
  });

/**
 * Operations on a card.
 *
 * @param externalId runtime expression of its ExternalID
 */
export function cardLinks(externalId: string): Links {
  const link = linkBy({ externalId });
  return {
    state: link("getScorecardState", "The card's state."),
    card: link("getScorecard", "The card, with every figure explained."),
    delivery: link("deliverScorecard", "Retries the card now."),
    withdrawal: link("withdrawScorecard", "Withdraws the card if it waits."),
  };
}

/**
 * Operations that read a club's data.
 *
 * @param clubId runtime expression of its ID
 */
export function clubLinks(clubId: string): Links {
  const link = linkBy({ clubId });
  return {
    club: link("getClub", "The club."),
    courses: link("listCourses", "The club's courses."),
  };
}

/**
 * Operations that read a tournament.
 *
 * @param tournament runtime expression of its ID
 */
export function tournamentLinks(tournament: string): Links {
  const link = linkBy({ tournament });
  return {
    tournament: link("getTournament", "What became of its cards."),
    cards: link("listTournamentCards", "Its cards."),
  };
}

/** A course version of a list of them. */
export const courseLinks: Links = {
  course: linkBy({ clubId: "$request.path.clubId", courseId: "$response.body#/0/ID" })(
    "getCourse",
    "The course version.",
  ),
};

/**
 * Links to the operations on a webhook endpoint.
 *
 * @param webhookId runtime expression of its ID
 */
export function webhookLinks(webhookId: string): Links {
  const link = linkBy({ webhookId });
  return {
    webhook: link("getWebhook", "The endpoint with its state."),
    change: link("changeWebhook", "Changes the endpoint."),
    trial: link("testWebhook", "Posts a test event to the endpoint."),
    secret: link("rotateWebhookSecret", "Makes another secret."),
    replay: link("replayWebhook", "Sends outcomes again."),
    attempts: link("listWebhookAttempts", "The last posts to the endpoint."),
    removal: link("removeWebhook", "Removes the endpoint."),
  };
}
