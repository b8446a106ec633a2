import { baseStyle } from "../../http/page/base-style.ts";

/** The style of the reference: the contents beside the text on a wide screen, above it on a narrow one. */
export const style = `${baseStyle}
header, main, footer { max-width: 78rem; }
html { scroll-padding-top: 1rem; }
section > h2:first-child { margin-top: 0; }
h3 { font-size: 1.05rem; margin: 0 0 .35rem; }
h4 { font-size: .9rem; margin: 1.1rem 0 .25rem; }
section { margin-bottom: 3rem; }
article { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1.1rem 1.25rem; margin: 0 0 1rem; }
article:target { border-color: var(--accent); }
article p, article li { overflow-wrap: anywhere; }
.address { margin: 0 0 .6rem; }
.fields { list-style: none; margin: .25rem 0 0; padding: 0; }
.fields li { padding: .45rem 0; border-top: 1px solid var(--line); max-width: 52rem; }
.fields .fields { margin: .4rem 0 0 .25rem; padding-left: .85rem; border-left: 2px solid var(--line); }
.name { font-weight: 650; }
.required { color: var(--fault); font-size: .8125rem; }
summary { cursor: pointer; padding: .35rem 0; color: var(--accent); width: fit-content; }
.contents ul { display: block; list-style: none; margin: 0; padding: 0; }
.contents a { display: block; padding: .28rem 0; }
.contents li li a { padding-left: .8rem; font-size: .875rem; text-decoration: none; }
.contents a:hover { text-decoration: underline; }
.index { list-style: none; padding: 0; margin: 0 0 1rem; }
.index a { display: block; padding: .3rem 0; }
.names { display: flex; flex-wrap: wrap; gap: 0 1.1rem; list-style: none; padding: 0; margin: 0 0 1.25rem; font-size: .9rem; }
.names a { display: block; padding: .3rem 0; }
@media (min-width: 60rem) {
main { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 2.5rem; align-items: start; }
.contents { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding-block: .5rem 2rem; }
.index { display: none; }
}
@media (max-width: 59.99rem) {
.contents li ul { display: none; }
.contents { margin-bottom: 2rem; padding-bottom: 1rem; border-bottom: 1px solid var(--line); }
.contents > ul { columns: 10rem; }
}
@media (max-width: 32rem) { article { padding: 1rem; } }
@media print { .contents, .index { display: none; } }
`;
