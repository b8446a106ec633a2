import { testOneFault } from "./explore.ts";

testOneFault([
  "a card is submitted",
  "two cards are submitted",
  "a card is submitted twice at once",
  "a content comes back, and the exchange answers 409 to what it has",
  "a card is delivered on demand",
  "the same is sent again after 16 minutes",
  "a backlog is sent again, and taken then",
  "a backlog is lost, and sent again and again",
  "a corrected card's player is erased after three hours",
]);
