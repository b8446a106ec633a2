import { crossOrigin } from "../http/response.ts";
import { variables } from "../runtime/variables.ts";

const settings = variables("ALLOWED_ORIGINS");
const { preflightHeaders } = crossOrigin(settings.ALLOWED_ORIGINS);

/** Answers a browser's preflight: what a page of another origin may send. */
export const handler = async (event: unknown) => ({
  statusCode: 204,
  headers: preflightHeaders(event),
  body: "",
});
