/** What the pages have in common: system type, one accent, light and dark, from a phone up. */
export const baseStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f7f3, #131714);
  --card: light-dark(#ffffff, #1b211c);
  --text: light-dark(#1a211c, #e6ebe6);
  --quiet: light-dark(#535f56, #a5b0a7);
  --line: light-dark(#d9dfd7, #323b34);
  --accent: light-dark(#17643a, #7fd3a0);
  --on-accent: light-dark(#ffffff, #0d1f14);
  --fault: light-dark(#a11d1d, #ff9d94);
  --fault-ground: light-dark(#fdf0ef, #33191a);
}
* { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; background: var(--page); color: var(--text); -webkit-text-size-adjust: 100%; }
body { margin: 0; }
header, main, footer { max-width: 52rem; margin-inline: auto; padding-inline: 1.25rem; }
header { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; padding-block: 1.25rem; }
header p { margin: 0; font-weight: 650; letter-spacing: -.01em; }
header .stage { font-weight: 400; font-size: .875rem; color: var(--quiet); }
footer { padding-block: 2rem 3rem; color: var(--quiet); font-size: .875rem; }
main:focus { outline: none; }
h1 { font-size: clamp(1.6rem, 1.3rem + 1.5vw, 2.1rem); line-height: 1.2; letter-spacing: -.02em; margin: .5rem 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; line-height: 1.3; letter-spacing: -.01em; margin: 2.75rem 0 1rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0 0 .25rem; }
p { margin: 0 0 .75rem; max-width: 42rem; }
a { color: var(--accent); text-underline-offset: .2em; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .6rem 1rem; background: var(--accent); color: var(--on-accent); border-radius: .4rem; }
.skip:focus { top: 1rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.quiet { color: var(--quiet); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1.25rem; margin: 0 0 1rem; }
code, pre { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0 0; padding: .8rem 1rem; background: var(--page); border: 1px solid var(--line); border-radius: .4rem; white-space: pre-wrap; }
.method { display: inline-block; padding: 0 .45rem; margin-right: .35rem; border: 1px solid var(--line); border-radius: .3rem; color: var(--accent); font-weight: 650; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .45rem 1.5rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: .4rem 1.25rem; list-style: none; margin: 1.25rem 0 0; padding: 0; }
@media (prefers-reduced-motion: no-preference) { .skip { transition: top .12s; } }
`.trim();
