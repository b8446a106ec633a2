import * as z from "zod/mini";
import { crossOrigin } from "../cross-origin.ts";

const settings = z.object({ ALLOWED_ORIGINS: z.string() }).parse(process.env);
const { preflightHeaders } = crossOrigin(settings.ALLOWED_ORIGINS);

/** Tells a browser what a page of another origin may send; it asks without credentials, and is told nothing else. */
export const handler = async (event: unknown) => ({
  statusCode: 204,
  headers: preflightHeaders(event),
  body: "",
});
