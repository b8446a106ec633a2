import { enableCompileCache } from "node:module";

// Imported before the program's own modules: what they compile to is kept between starts, which saves a third of a second.
enableCompileCache();
