/** Conventional Commits, checked by .github/workflows/commits.yml: `type(scope): imperative, at most 72 characters`. */
export default {
  extends: ["@commitlint/config-conventional"],
  rules: {
    "header-max-length": [2, "always", 72],
    // Renovate's bodies hold links.
    "body-max-line-length": [0],
    "footer-max-line-length": [0],
  },
};
