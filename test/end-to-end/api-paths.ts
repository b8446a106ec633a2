import { readFileSync } from "node:fs";
import { join } from "node:path";

interface TemplateResource {
  readonly Type: string;
  readonly Properties: {
    readonly HttpMethod?: string;
    readonly PathPart?: string;
    readonly ParentId?: { readonly Ref?: string };
    readonly ResourceId?: { readonly Ref?: string };
  };
}

/** A path of the deployed API, such as /{apiset}/Clubs/{clubId}, and the methods that it has. */
export interface ApiPath {
  readonly path: string;
  readonly methods: ReadonlySet<string>;
}

/** Every path of the test stage's template, read from the resources that API Gateway is given. */
export function apiPaths(assembly: string): ApiPath[] {
  const template = readFileSync(join(assembly, "scorecard-pipeline-test.template.json"), "utf8");
  const { Resources }: { Resources: Record<string, TemplateResource> } = JSON.parse(template);
  const pathOf = (id: string | undefined): string => {
    const { PathPart, ParentId } = Resources[id ?? ""]?.Properties ?? {};
    return PathPart === undefined ? "" : `${pathOf(ParentId?.Ref)}/${PathPart}`;
  };
  const methods = Object.values(Resources).filter(({ Type }) => Type === "AWS::ApiGateway::Method");
  const byPath = Map.groupBy(methods, ({ Properties }) => pathOf(Properties.ResourceId?.Ref));
  return [...byPath].map(([path, ofPath]) => ({
    path,
    methods: new Set(ofPath.map(({ Properties }) => Properties.HttpMethod ?? "")),
  }));
}
