import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

// The headless shell takes half of the processor time that the others take.
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
];

const folders = (process.env.PATH ?? "").split(delimiter);
const places = folders.flatMap((folder) => names.map((name) => join(folder, name)));
const executablePath = [process.env.CHROMIUM, ...places].find(
  (place) => place !== undefined && isExecutable(place),
);

/** Whether there is a Chromium on this machine: named in the variable CHROMIUM, or found in PATH. */
export const hasChromium = executablePath !== undefined;

let shared: Promise<Browser> | undefined;

/** The Chromium of all files of this worker, with which it ends. Each page has a context of its own. */
export function sharedChromium(): Promise<Browser> {
  shared ??= launchChromium();
  return shared;
}

/** Starts the machine's Chromium, without the GPU that it would otherwise imitate in software. */
export function launchChromium(): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-software-rasterizer"];
  return chromium.launch({ executablePath: executablePath ?? "", args });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
