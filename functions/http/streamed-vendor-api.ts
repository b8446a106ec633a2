import { type StreamedResponse, streamedResponse } from "./streamed-response.ts";
import { vendorApi } from "./vendor-api.ts";
import type { VendorRequest } from "./vendor-request.ts";

/** The same as {@link vendorApi}, for routes whose integration streams. */
export function streamedVendorApi(respond: (request: VendorRequest) => Promise<StreamedResponse>) {
  return streamedResponse(vendorApi(respond));
}
