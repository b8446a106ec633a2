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
};
