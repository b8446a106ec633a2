/**
 * The server of the OpenAPI document. Its stage is a variable, so that a client can be turned from one to the other.
 *
 * @param base base address with the stage, without a slash at its end
 */
export function serversOf(base: string) {
  const end = base.lastIndexOf("/");
  const stage = {
    default: base.slice(end + 1),
    enum: ["production", "test"],
    description: "`test` is for trying out, and nothing sent there counts; `production` is for real cards.",
  };
  return [{ url: `${base.slice(0, end)}/{stage}`, variables: { stage } }];
}
