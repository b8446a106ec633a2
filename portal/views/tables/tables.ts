/** What is loaded when a table is sent. */
export { SendView } from "./send-view.tsx";
