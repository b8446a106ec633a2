/**
 * Node's own `http`. In a bundle this file takes the place of each import of it (lib/bundles.ts).
 *
 * When an ES module imports a built-in, Node reads everything that the built-in exports. With `http` that includes
 * WebSocket, for which Node loads undici: a fifth of the time to a first answer, for nothing where nobody fetches.
 */
module.exports = process.getBuiltinModule("node:http");
