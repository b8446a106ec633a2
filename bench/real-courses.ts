import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const beside = fileURLToPath(new URL("../../shared/data/opengolfapi-us.ndjson.gz", import.meta.url));

/**
 * A file of real courses, beside the project; each becomes a club. Undefined where it is not there: then there are no
 * courses but those made up.
 */
export const realCourses = existsSync(beside) ? beside : undefined;
