import { RemovalPolicy } from "aws-cdk-lib";

/**
 * What becomes of something that holds data when the stack goes.
 *
 * What outlives the stack goes all the same where the very deployment fails that makes it: it is empty then, and the next
 * attempt could not make another one of its name. Not for tables: CloudFormation cannot remove what is protected from
 * deletion.
 *
 * @param keepData whether it outlives the stack
 */
export const removalPolicy = (keepData: boolean): RemovalPolicy =>
  keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
