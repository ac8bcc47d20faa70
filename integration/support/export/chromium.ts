import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { variation } from '../repository/scenario.ts';
import type { TestRepo } from '../repository/test-repo.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium of this machine; `undefined` where there is none on PATH. */
export function findChromium(): string | undefined {
  const files = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((dir) => NAMES.map((name) => join(dir, name)));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Why browser tests cannot run here; `undefined` when they can. Where CI runs them, they have to: `scripts/chromium.sh` sees to it.
 */
const NO_CHROMIUM =
  findChromium() || process.env.CI
    ? undefined
    : 'no chromium, chromium-browser or google-chrome on PATH (scripts/chromium.sh installs it on Debian)';

/** A test in a browser; it says why where it cannot run. */
export const inBrowser = (name: string, body: (repo: TestRepo) => Promise<void>): void =>
  variation(name, async (repo, skip) => {
    if (NO_CHROMIUM) skip(NO_CHROMIUM);
    await body(repo);
  });

/** Screenshots and numbers; git ignores the folder. */
export const ARTIFACTS = resolve(import.meta.dirname, '../../../artifacts/html-export');
mkdirSync(ARTIFACTS, { recursive: true });

/** A browser with nothing in it that calls nobody by itself; closed and removed afterwards. */
export async function withBrowser<T>(
  options: BrowserContextOptions,
  body: (browser: BrowserContext) => Promise<T>,
): Promise<T> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('there is no Chromium: scripts/chromium.sh installs it on Debian');
  const profile = mkdtempSync(join(tmpdir(), 'entire-chromium-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    ...options,
  });
  try {
    return await body(browser);
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  }
}
