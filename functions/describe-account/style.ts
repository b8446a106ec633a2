import { baseStyle } from "../http/page/base-style.ts";

/** The style of the login page and of what an account may use. */
export const style = `${baseStyle}
form { max-width: 24rem; }
label { display: block; font-weight: 600; margin-bottom: .3rem; }
input { display: block; width: 100%; font: inherit; color: inherit; background: var(--page); padding: .65rem .75rem; margin-bottom: 1.1rem; border: 1px solid var(--quiet); border-radius: .4rem; }
button { font: inherit; font-weight: 650; color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: .4rem; padding: .65rem 1.5rem; min-height: 2.75rem; cursor: pointer; }
button:hover { filter: brightness(1.08); }
.fault { max-width: 24rem; border: 1px solid var(--fault); border-left-width: .3rem; border-radius: .4rem; background: var(--fault-ground); color: var(--fault); padding: .75rem 1rem; margin: 0 0 1.25rem; font-weight: 600; }
.fault:focus { outline: 3px solid var(--fault); outline-offset: 2px; }
@media (max-width: 32rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } .card { padding: 1rem; } }
@media (forced-colors: active) { .fault, input, button { border-color: CanvasText; } }
`;
