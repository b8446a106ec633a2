import { render } from "preact";
import { App } from "./app.tsx";
import { language } from "./texts/texts.ts";

document.documentElement.lang = language;
render(<App base={new URL(".", location.href).href.replace(/\/$/, "")} />, document.body);
