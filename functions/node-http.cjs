/**
 * Node's own `http`, which each bundle has instead of an import of it (lib/bundles.ts).
 *
 * For an ES module's import Node asks a built-in for all it exports. Of `http` that is also WebSocket, for which it
 * loads undici, a fifth of the time to a first answer: for nothing, where nobody fetches.
 */
module.exports = process.getBuiltinModule("node:http");
