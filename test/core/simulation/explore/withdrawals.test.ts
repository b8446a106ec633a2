import { testOneFault } from "./explore.ts";

testOneFault([
  "a card is withdrawn",
  "a card is corrected and withdrawn",
  "a card is withdrawn and submitted again",
]);
