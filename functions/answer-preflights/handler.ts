import { crossOrigin } from "../http/cross-origin.ts";
import { variables } from "../runtime/variables.ts";

const settings = variables("ALLOWED_ORIGINS");
const { preflightHeaders } = crossOrigin(settings.ALLOWED_ORIGINS);

/** Tells a browser what a page of another origin may send; it asks without credentials, and is told nothing else. */
export const handler = async (event: unknown) => ({
  statusCode: 204,
  headers: preflightHeaders(event),
  body: "",
});
