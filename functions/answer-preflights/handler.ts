import middy from "@middy/core";
import * as z from "zod/mini";
import { crossOrigin, type HttpResponse } from "../http/response.ts";
import { readSettings } from "../runtime/read-settings.ts";

const settings = readSettings({ ALLOWED_ORIGINS: z.string() });
const { preflightHeaders } = crossOrigin(settings.ALLOWED_ORIGINS);

/** Tells a browser which requests a page of another origin may send. */
export const handler = middy<unknown, HttpResponse>().handler(async (event) => ({
  statusCode: 204,
  headers: preflightHeaders(event),
  body: "",
}));
