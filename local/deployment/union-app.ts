import { fileURLToPath } from "node:url";
import { App, CfnOutput, Duration, Stack } from "aws-cdk-lib";
import { CfnAccount } from "aws-cdk-lib/aws-apigateway";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Code, FunctionUrlAuthType, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { buildSync } from "esbuild";

// The union of `npm run deploy:prove`, as a function with an address, and API Gateway's role to write logs: a CDK app of its own.

const folder = fileURLToPath(new URL("../../cdk.out/proving-union", import.meta.url));
buildSync({
  entryPoints: [fileURLToPath(new URL("union-function.ts", import.meta.url))],
  outfile: `${folder}/index.mjs`,
  bundle: true,
  platform: "node",
  format: "esm",
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  logLevel: "error",
});
const stack = new Stack(new App(), "scorecard-union");
const union = new LambdaFunction(stack, "Union", {
  code: Code.fromAsset(folder),
  handler: "index.handler",
  runtime: Runtime.NODEJS_24_X,
  memorySize: 1_769,
  timeout: Duration.seconds(29),
});
const logs = ManagedPolicy.fromAwsManagedPolicyName("service-role/AmazonAPIGatewayPushToCloudWatchLogs");
const assumedBy = new ServicePrincipal("apigateway.amazonaws.com");
const role = new Role(stack, "LogRole", { assumedBy, managedPolicies: [logs] });
new CfnAccount(stack, "ApiGatewayAccount", { cloudWatchRoleArn: role.roleArn });
new CfnOutput(stack, "UnionFunction", { value: union.functionName });
const { url } = union.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
new CfnOutput(stack, "UnionAddress", { value: url });
