import { testOneFault } from "./explore.ts";

testOneFault(["a card is corrected", "one of two cards is corrected"]);
