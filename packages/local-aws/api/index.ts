export { startApiGatewayApi } from "./api-gateway-api.ts";
export { readStreamedResponse } from "./api-response.ts";
export { createUsagePlans } from "./usage-plans.ts";
