/**
 * Node's own `http`. lib/bundles.ts replaces each import of it in a bundle with this file.
 *
 * When an ES module imports a built-in, Node reads all its exports. With `http` that includes WebSocket, for which Node
 * loads undici: a fifth of the time to a first response, although nothing here uses fetch.
 */
module.exports = process.getBuiltinModule("node:http");
