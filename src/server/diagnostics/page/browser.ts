import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserType } from 'playwright-core';

/** Names of the browser's command on Linux. */
const COMMANDS = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser'];
/** Browsers that Playwright finds in the folders where macOS and Windows install them. */
const CHANNELS = process.platform === 'linux' ? [] : ['chrome', 'msedge'];

/** Starts an installed Chrome, Edge, or Chromium, if playwright-core is installed too. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const chromium = await importPlaywright();
  if (!chromium) return undefined;
  const executablePath = findCommand();
  if (executablePath !== undefined)
    return chromium.launch({ executablePath, args: getArguments() });
  for (const channel of CHANNELS) {
    const browser = await chromium.launch({ channel }).catch(() => undefined);
    if (browser) return browser;
  }
  return undefined;
}

async function importPlaywright(): Promise<BrowserType | undefined> {
  try {
    return (await import('playwright-core')).chromium;
  } catch {
    return undefined;
  }
}

function findCommand(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) =>
    existsSync(file),
  );
}

/** Chromium refuses to run as root with its own sandbox, as in most containers. */
function getArguments(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}
