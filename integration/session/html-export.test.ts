// @module-tag long
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { Message } from '../../src/agents/shared/session/message.ts';
import { type ExportEnvelope, renderEnvelope, toEnvelope } from '../../src/conversation/export/envelope.ts';
import { isPrompt } from '../../src/conversation/turn-messages.ts';
import { bigExport } from '../support/export/big-session.ts';
import { ARTIFACTS, inBrowser, withBrowser } from '../support/export/chromium.ts';
import { watchFirstScreen, watchPage } from '../support/export/watch-page.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const MIB = 1024 * 1024;
const SEED = 20_261_123;

/** The page of a generated session, as the command writes it. */
function exportPage(repo: TestRepo, text: string): { file: string; url: string } {
  writeFileSync(join(repo.scratch, 'big.json'), text);
  repo.entire('session', 'import', join(repo.scratch, 'big.json'));
  const file = join(repo.scratch, 'big.html');
  repo.entire('session', 'export', 'big', '--out', file);
  return { file, url: pathToFileURL(file).href };
}

const shot = (page: Page, name: string): Promise<unknown> =>
  page.screenshot({ path: join(ARTIFACTS, `${name}.png`) });

const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844 };

describe('in Chromium', { timeout: 300_000 }, () => {
  inBrowser('a session of 20 MB: its first screen is there long before the rest', async (repo) => {
    const { file, url } = exportPage(repo, bigExport('big', 20 * MIB, SEED));
    expect(statSync(file).size).toBeGreaterThan(20 * MIB);
    const milliseconds = await withBrowser({ viewport: DESKTOP, colorScheme: 'light' }, async (browser) => {
      const page = await browser.newPage();
      const watched = await watchPage(page, url);
      const firstScreen = await watchFirstScreen(page);
      await page.goto(url, { waitUntil: 'load' });
      const first = await firstScreen();
      const times = await page.evaluate<Record<string, number>>(`({
        firstContentfulPaint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
        domContentLoaded: performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd,
        load: performance.getEntriesByType('navigation')[0].loadEventStart,
        turns: document.querySelectorAll('.turn').length,
      })`);
      await shot(page, 'desktop-light');
      await page.emulateMedia({ colorScheme: 'dark' });
      await shot(page, 'desktop-dark');

      // In the first frame that has a prompt the document was still being read, most of its turns not there.
      expect(first?.readyState).toBe('loading');
      expect(first?.turns).toBeLessThan((times.turns ?? 0) / 2);
      expect(first?.ms).toBeLessThan(times.load ?? 0);
      expect(times.firstContentfulPaint).toBeLessThan(times.load ?? 0);
      // And what is far away is not laid out now, either.
      const isLaidOut = `document.querySelector('.turn:last-of-type .said').checkVisibility({ contentVisibilityAuto: true })`;
      expect(await page.evaluate(isLaidOut)).toBe(false);
      expect(watched).toEqual({ requests: [], dialogs: [], refused: [], errors: [] });
      return { firstPrompt: first, ...times };
    });
    const report = { pageBytes: statSync(file).size, seed: SEED, milliseconds };
    writeFileSync(join(ARTIFACTS, 'load-times.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  });

  inBrowser('of a turn of thousands of calls, what is far away is not laid out', async (repo) => {
    const { cli_origin, session } = JSON.parse(bigExport('big', 4 * MIB, SEED)) as ExportEnvelope;
    const [first, ...rest] = session.messages;
    const messages = [first, ...rest.filter((message) => !isPrompt(message))] as Message[];
    const text = renderEnvelope(toEnvelope(cli_origin, { ...session, messages }, []));
    const { url } = exportPage(repo, text);
    await withBrowser({ viewport: PHONE }, async (browser) => {
      const page = await browser.newPage();
      await page.goto(url, { waitUntil: 'load' });
      expect(await page.locator('.turn').count()).toBe(1);
      const laidOut = `[...document.querySelectorAll('.turn details')].filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length`;
      const all = await page.locator('.turn details').count();
      expect(all).toBeGreaterThan(1_000);
      expect(await page.evaluate(laidOut)).toBeLessThan(all / 4);
      await page.fill('#find', 'private readonly');
      await page.keyboard.press('Shift+Enter'); // the last one
      const found = `(() => { const [range] = [...(CSS.highlights.get('current') ?? [])]; return range?.getBoundingClientRect().top; })()`;
      await expect.poll(() => page.evaluate(found)).toBeLessThan(PHONE.height);
    });
  });

  inBrowser('the beginning can be read while the rest has not arrived', async (repo) => {
    const { file } = exportPage(repo, bigExport('big', MIB, SEED));
    const bytes = readFileSync(file);
    let sendRest = (): void => {};
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write(bytes.subarray(0, 128 * 1024));
      sendRest = () => response.end(bytes.subarray(128 * 1024));
    }).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      await withBrowser({ viewport: PHONE }, async (browser) => {
        const page = await browser.newPage();
        await page.goto(url, { waitUntil: 'commit' });
        await page.locator('.prompt').first().waitFor({ state: 'visible' });
        expect(await page.evaluate('document.readyState')).toBe('loading');
        expect(await page.locator('#theme').isVisible()).toBe(true);
        await page.click('#theme'); // works as well
        expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
        sendRest();
        await page.waitForLoadState('load');
        expect(await page.locator('#turns li').count()).toBe(await page.locator('.turn').count());
      });
    } finally {
      server.close();
    }
  });
});
