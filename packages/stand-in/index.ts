export { type StandInAccount, type StandInResource, standInResources } from "./base/account.ts";
export { type StandInProfile, type UnionProfileName, unionProfiles } from "./base/union-profile.ts";
export { demoAccounts } from "./demo-accounts.ts";
export { commandFaults, type FaultCommand, type Faults } from "./exchange/faults.ts";
export { emptyRecord, type ReceivedCard } from "./exchange/record.ts";
export type { UnionClub, UnionCourseVersion, UnionHole, UnionMember, UnionTee } from "./register/records.ts";
export { inventUnion, type UnionData } from "./register/union-data.ts";
export { type StandIn, type StandInOptions, startStandIn } from "./stand-in.ts";
