import { denmark } from "../unions/denmark.ts";

/** The API set of the examples. */
export const exampleApiSet = "greens-app";

/** ID of a webhook endpoint. */
export const exampleWebhookId = "wh_5f2b9c0d8e7a6b5c4d3e2f1a";

/** ID of an attempt to post an event. */
export const exampleAttemptId = "att_MjAyNS0wNi0yMlQxNzowMjowNC4wMjdaI2V2dF9KeDJQV3E3ZDFtWGgwYjl5VjNzSzRBIzA";

/** IDs of the club, the course, the tee and the card in the examples. */
export const exampleClubId = "7AABAF90-1D6B-4552-889B-553D5CE75FC6";
export const exampleCourseId = "CA1636A2-8F3C-4078-AD38-D7F8BD23D76C";
export const exampleTeeId = "629BDEEC-4A55-4309-861E-08B072D9509A";
export const exampleExternalId = "example-1";
/** TournamentName of an example. */
export const exampleTournament = "Midsummer Cup";

/** The smallest card; the course register supplies the rest. */
export const minimalCard = {
  CreateDateTime: "20250622T190200",
  ExternalID: exampleExternalId,
  HCP: "158000",
  CourseHandicap: 16,
  Course: { CourseID: exampleCourseId, ClubID: exampleClubId, TeeID: exampleTeeId },
  Marker: { FullName: "Marker Example", LifeTimeID: "010180-002", UnionID: "1001-2" },
  Result: { Strokes: [5, 5, 4, 6, 5, 5, 4, 5, 6, 5, 4, 5, 6, 5, 5, 4, 5, 6], IsQualifying: true },
  Round: { HolesPlayed: 18, RoundType: 1, StartTime: "20250622T145700" },
  Player: { UnionID: "1001-1" },
};

const pars = [4, 4, 3, 5, 4, 4, 3, 4, 5, 4, 3, 4, 5, 4, 4, 3, 4, 5];
const indexes = [7, 3, 15, 9, 1, 11, 17, 5, 13, 8, 16, 4, 12, 2, 10, 18, 6, 14];

const holes = pars.map((Par, index) => ({
  Number: index + 1,
  Par,
  Index: indexes[index] ?? 0,
  Length: 100 * Par - index,
  SPH: (indexes[index] ?? 0) <= 16 ? 1 : 0,
}));

/** The club of the examples. */
export const exampleClub = {
  ID: exampleClubId,
  UnionNumber: 1001,
  Name: "Example Golf Club",
  ShortName: "EXA",
  ZipCode: "2000",
  City: "Frederiksberg",
};

/** The course version of the examples. */
export const exampleCourse = {
  TemplateID: "5E0B0A7C-3C5B-4B0F-9B56-2C1D7A1F0E11",
  ClubID: exampleClubId,
  Name: "Old Course",
  NumberOfHoles: 18,
  ActivationDate: "20250331T220000",
  IsActive: true,
  IsHcpQualifying: true,
  IsVisible: true,
  Version: 3,
  ID: exampleCourseId,
  Tees: [
    {
      ID: exampleTeeId,
      Name: "57",
      Gender: 2 as const,
      TotalLength: 7047,
      CourseRating: "718000",
      SlopeRating: 119,
      IsNineHole: false,
      Holes: holes.map(({ SPH: _, ...hole }) => hole),
    },
  ],
};

/** The member of the examples. */
export const exampleMember = {
  ID: "9C1B7F6E-5B4A-4D3C-8E2F-1A0B9C8D7E6F",
  LifeTimeID: "010190-001",
  FirstName: "Player",
  LastName: "Example",
  Gender: "Female",
  BirthDate: "19900101T000000",
  RightToPlay: true,
  Status: 1,
  Handicap: "158000",
  HandicapStatus: 1,
  Memberships: [
    {
      ID: "3F2E1D0C-9B8A-4796-8574-635241302F1E",
      IsHomeClub: true,
      LocalRightToPlay: true,
      Type: 1,
      UnionID: "1001-1",
      Club: { ID: exampleClubId, Name: "Example Golf Club", ShortName: "EXA", UnionNumber: 1001 },
      HomeClub: { ID: exampleClubId, Name: "Example Golf Club", ShortName: "EXA", UnionNumber: 1001 },
    },
  ],
};

/** The record of the player of the examples: the round of the smallest card. */
export const exampleRecord = [
  {
    HCP: "158000",
    Round: { StartTime: "20250622T145700", HolesPlayed: 18 },
    Result: { IsQualifying: true, SGD: 173000, TotalPoints: 34, TotalStrokes: 90 },
    Course: { Name: "Old Course", TeePar: 72, TeeRating: 718000, TeeSlope: 119 },
  },
];

const person = {
  FullName: "Player Example",
  HomeClubName: "Example Golf Club",
  HomeClubCountry: denmark.country,
  LifeTimeID: "010190-001",
  UnionID: "1001-1",
};

/** A card with every field. */
export const fullCard = {
  ID: "0B5FC2C8-5E2B-4D11-9A3C-2F1D6C0E7B41",
  CreateDateTime: "20250622T190200",
  ExternalID: "example-2",
  HCP: "158000",
  CourseHandicap: 16,
  PHCP: 16,
  Comment: "A fine day",
  Course: {
    CourseID: null,
    ExternalID: "links-57",
    ClubID: null,
    ClubName: "Example Links",
    Name: "Links",
    Country: "SE",
    TeeID: null,
    TeeName: "57",
    TeePar: 72,
    TeeRating: "718000",
    TeeSlope: 119,
    Holes: holes,
  },
  Round: {
    HolesPlayed: 18,
    RoundType: 2,
    StartTime: "20250622T145700",
    TournamentName: exampleTournament,
    TournamentRoundNumber: 1,
  },
  Result: {
    Points: pars.map((_, index) => ((indexes[index] ?? 0) <= 16 ? 2 : 1)),
    Strokes: pars.map((par) => par + 1),
    TotalPoints: 34,
    TotalStrokes: 90,
    NetDoubleBogeyGross: 90,
    IsQualifying: true,
  },
  Player: person,
  Marker: {
    FullName: "Marker Example",
    HomeClubName: "Example Golf Club",
    LifeTimeID: "010180-002",
    UnionID: "1001-2",
  },
};

/** A card of an unlisted course, which it describes itself. */
export const cardAbroad = {
  ...minimalCard,
  ExternalID: "example-3",
  Course: {
    Name: "Links",
    Country: "SE",
    TeeName: "57",
    TeeRating: "718000",
    TeeSlope: 119,
    Holes: holes.map(({ SPH: _, ...hole }) => hole),
  },
};
