import { expect, test } from "vitest";
import { contentOf } from "../../../core/cards/card-content.ts";
import { erasure, isErasable, roleOn } from "../../../core/cards/person-data.ts";
import { start, storedCard } from "../memory/stored-card.ts";

const Player = { UnionID: "32-1", LifeTimeID: "010156-012", FullName: "A Player" };
const Marker = { UnionID: "32-2", LifeTimeID: "020256-012", FullName: "A Marker" };
const result = { Strokes: [4, 5], TotalPoints: 36 };
const card = storedCard("417", {
  state: "delivered",
  content: contentOf({ ID: "the id", ExternalID: "417", Player, Marker, Result: result }, [
    { index: 0, code: "course_handicap_differs", pointer: "/HCP", detail: "A warning." },
  ]),
});
const erased = (role: "player" | "marker") => erasure(card, role).set.content;

test("a person is found by either number, as player or as marker", () => {
  expect(roleOn(card, { unionId: "32-1" })).toBe("player");
  expect(roleOn(card, { lifeTimeId: "010156-012" })).toBe("player");
  expect(roleOn(card, { unionId: "32-2" })).toBe("marker");
  expect(roleOn(card, { lifeTimeId: "020256-012", unionId: "99-9" })).toBe("marker");
  expect(roleOn(card, { unionId: "32-3" })).toBeUndefined();
  expect(roleOn(storedCard("no persons"), { unionId: "32-1" })).toBeUndefined();
});

test("of a player's card only its ID at the union stays, no hash that could be compared with a guess, and nothing of the player's record", () => {
  const { set, expects } = erasure(card, "player");
  expect(set.content?.text()).toBe('{"ID":"the id"}');
  expect(set.content?.warnings()).toEqual([]);
  expect(set.contentHash).toBe("erased");
  expect(set).toHaveProperty("record", undefined);
  expect(set).toHaveProperty("laterWarnings", undefined);
  expect(Object.keys(set).sort()).toEqual(["content", "contentHash", "laterWarnings", "record"]);
  expect(expects).toEqual({ version: card.version, states: ["delivered"], since: card.since });
});

test("a marker is taken off another player's card, which stays otherwise", () => {
  const kept = JSON.parse(erased("marker")?.text() ?? "");
  expect(kept).toEqual({ ID: "the id", ExternalID: "417", Player, Result: result, Marker: {} });
});

test("a card is not erased while a run may still post it", () => {
  const hour = 3_600_000;
  expect(isErasable(card, start + 3 * hour)).toBe(true);
  expect(isErasable(card, start + hour)).toBe(false);
  expect(isErasable({ ...card, state: "retrying" }, start + 24 * hour)).toBe(false);
});
