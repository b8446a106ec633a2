/** Texts of the page about the API. */
export const en = {
  title: "API",
  about: (username: string) =>
    `What ${username} may use. The examples are for a shell; curl asks for your password. Each works as it stands, unless a note says what to put in.`,
  base: "Base address",
  apiSet: "API set",
  vendorAddress: "Vendor address",
  credentials: "Credentials",
  basic: "HTTP Basic, with every request",
  requests: "Requests",
  document: "Every request and answer is described in the",
  reference: "API reference",
  forPrograms: "for programs, in",
  deeds: "What your app has done",
  aboutDeeds:
    "The deeds that a union looks for, as this stage has seen them of your app in 30 days. Each webhook endpoint gets a test event and a forged one.",
  askForDeeds: "See what is done",
  deedsDone: (done: number, all: number) => `${done} of ${all} deeds are done.`,
};
