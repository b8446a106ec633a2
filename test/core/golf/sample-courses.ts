import { guidKey } from "../../../core/formats/identifiers.ts";
import type { AssessmentContext } from "../../../core/golf/assessed-card.ts";
import type { CourseVersion, Tee } from "../../../core/golf/course.ts";

export const pars = [4, 4, 3, 5, 4, 4, 3, 4, 5, 4, 3, 4, 5, 4, 4, 3, 4, 5];
export const indexes = [7, 3, 15, 9, 1, 11, 17, 5, 13, 8, 16, 4, 12, 2, 10, 18, 6, 14];

export const templateId = "CA1636A2-0000-4078-AD38-D7F8BD23D76C";
export const clubId = "7AABAF90-0000-4552-889B-553D5CE75FC6";
export const versionIds = [
  "36D33C80-0000-4175-BC53-0E2957556305",
  "4FC90CA7-0000-4EB8-8A5E-290DAC67C77E",
  "5AD0B3F1-0000-4C11-9D55-7C1B2F3A4D5E",
];
export const yellowId = "629BDEEC-0000-4309-861E-08B072D9509A";
export const redId = "73ACEFFD-0000-4410-972F-19C183EA610B";
export const loopTemplateId = "D1B2C3D4-0000-4A5B-8C6D-7E8F90A1B2C3";
export const loopTeeId = "84BDF00E-0000-4521-A830-2AD294FB721C";

/** A tee of 18 holes, par 72. */
export function tee(changes: Partial<Tee> = {}): Tee {
  return {
    ID: yellowId,
    Name: "Yellow",
    Gender: 2,
    TotalLength: 6109,
    CourseRating: 718000,
    SlopeRating: 119,
    IsNineHole: false,
    Holes: pars.map((Par, hole) => ({
      Number: hole + 1,
      Par,
      Index: indexes[hole] ?? null,
      Length: 100 * Par - hole,
    })),
    ...changes,
  };
}

export const red = () => tee({ ID: redId, Name: "Red", Gender: 1, CourseRating: "735000", SlopeRating: 127 });

/** A version of the course, activated at local midnight on 1 April 2024 and still active. */
export function version(changes: Partial<CourseVersion> = {}): CourseVersion {
  return {
    ID: versionIds[0] ?? "",
    TemplateID: templateId,
    ClubID: clubId,
    ClubNames: { [guidKey(changes.ClubID ?? clubId)]: "Test Club" },
    Name: "Old Course",
    NumberOfHoles: 18,
    ActivationDate: "20240331T220000",
    IsActive: true,
    IsHcpQualifying: true,
    IsVisible: true,
    Version: 1,
    Tees: [tee(), red()],
    ...changes,
  };
}

/** A nine-hole loop, a course of its own, with odd stroke indexes only. */
function loop(): CourseVersion {
  const holes = tee().Holes.slice(0, 9);
  const Holes = holes.map((hole, place) => ({
    ...hole,
    Index: [7, 3, 15, 9, 1, 11, 17, 5, 13][place] ?? null,
  }));
  return version({
    TemplateID: loopTemplateId,
    ID: "E2C3D4E5-0000-4B6C-9D7E-8F90A1B2C3D4",
    Name: "Loop",
    NumberOfHoles: 9,
    Tees: [tee({ ID: loopTeeId, CourseRating: 356000, SlopeRating: 121, IsNineHole: true, Holes })],
  });
}

/** The union's register of a test: one course and a nine-hole loop, unless it says otherwise. */
export function register(...versions: CourseVersion[]): AssessmentContext["courses"] {
  const all = versions.length > 0 ? versions : [version(), loop()];
  return (id) => {
    const named = all.find(({ ID, TemplateID, Tees }) =>
      [ID, TemplateID, ...Tees.map((one) => one.ID)].some((one) => one?.toUpperCase() === id),
    );
    const found = all.filter(({ TemplateID }) => TemplateID === named?.TemplateID);
    return found.length > 0 ? found : undefined;
  };
}
