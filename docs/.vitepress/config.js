// Node reads TypeScript itself. The esbuild of VitePress would bundle it, and does not know the target of tsconfig.json.
const { siteConfig } = await import(new URL("./site-config.ts", import.meta.url).href);

export default siteConfig;
