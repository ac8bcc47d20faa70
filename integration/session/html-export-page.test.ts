// @module-tag long
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect } from 'vitest';
import { bigExport } from '../support/export/big-session.ts';
import { ARTIFACTS, inBrowser, withBrowser } from '../support/export/chromium.ts';
import { ATTACKS, hostileExport } from '../support/export/hostile-session.ts';
import { watchPage } from '../support/export/watch-page.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** The page of an exported session, as the command writes it. */
function pageOf(repo: TestRepo, id: string, text: string): string {
  writeFileSync(join(repo.scratch, 'it.json'), text);
  repo.entire('session', 'import', join(repo.scratch, 'it.json'));
  repo.entire('session', 'export', id, '--no-redact', '--out', join(repo.scratch, 'it.html'));
  return pathToFileURL(join(repo.scratch, 'it.html')).href;
}

const shots = (name: string): string => join(ARTIFACTS, `${name}.png`);

describe('a page in Chromium', { timeout: 300_000 }, () => {
  inBrowser(
    'of a transcript full of scripts runs none of them, and asks nobody for anything',
    async (repo) => {
      const url = pageOf(repo, 'hostile', hostileExport('hostile'));
      for (const javaScriptEnabled of [true, false])
        await withBrowser({ viewport: { width: 1280, height: 860 }, javaScriptEnabled }, async (browser) => {
          const page = await browser.newPage();
          const watched = await watchPage(page, url);
          await page.goto(url, { waitUntil: 'load' });
          expect(await page.locator('.turn').count()).toBe(ATTACKS.length);
          if (javaScriptEnabled) {
            await page.keyboard.press('e'); // unfolds all
            for (const name of ['mouseover', 'focus', 'click', 'toggle', 'error', 'load'])
              await page.evaluate(
                `for (const element of document.querySelectorAll('main *')) element.dispatchEvent(new Event('${name}', { bubbles: true, cancelable: true }))`,
              );
            await page.fill('#find', '<script>');
            await page.keyboard.press('Enter');
            await expect.poll(() => page.locator('.bar output').textContent()).toMatch(/ of /);
            expect(await page.evaluate('window.pwned')).toBeUndefined();
            const kinds = `[...new Set([...document.querySelectorAll('body *')].map((element) => element.localName))].sort()`;
            expect(await page.evaluate(kinds)).toEqual(OURS);
            const attributes = `[...new Set([...document.querySelectorAll('body *')].flatMap((element) => element.getAttributeNames()))].filter((name) => name === 'style' || name.startsWith('on'))`;
            expect(await page.evaluate(attributes)).toEqual([]);
            const links = `[...document.querySelectorAll('main a')].filter((link) => !/^(https?:|mailto:|file:.*#turn-\\d+$)/.test(link.href)).map((link) => link.outerHTML)`;
            expect(await page.evaluate(links)).toEqual([]);
            expect(await page.locator('main').innerText()).toMatch(/⟦U\+202E⟧gnp\.exe⟦U\+202C⟧ ␇ red/);
          }
          await page.screenshot({ path: shots(`hostile${javaScriptEnabled ? '' : '-without-script'}`) });
          expect(watched).toEqual({ requests: [], dialogs: [], refused: [], errors: [] });
        });
    },
  );

  inBrowser('finds within what is folded, is worked by keys, and prints all of it', async (repo) => {
    const url = pageOf(repo, 'small', bigExport('small', 60_000, 5));
    await withBrowser(
      { viewport: { width: 1280, height: 860 }, colorScheme: 'dark', reducedMotion: 'reduce' },
      async (browser) => {
        const page = await browser.newPage();
        const watched = await watchPage(page, url);
        await page.goto(url, { waitUntil: 'load' });
        const told = page.locator('.bar output');
        const isSeen = (selector: string) => page.locator(selector).first().isVisible();

        // By keys to the list of turns, which stands behind the conversation.
        await page.keyboard.press('Tab');
        expect(await page.evaluate('document.activeElement.hash')).toBe('#conversation');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.keyboard.press('Tab');
        expect(await page.evaluate('document.activeElement.outerHTML')).toContain('<a href="#turn-1">');
        await page.evaluate('scrollTo(0, 0)');

        // Folding: by a click, and by keys on the summary.
        const fold = page.locator('article details').first();
        expect(await fold.locator('.body').isVisible()).toBe(false);
        await fold.locator('summary').click();
        expect(await fold.locator('.body').isVisible()).toBe(true);
        await fold.locator('summary').press('Enter');
        expect(await fold.locator('.body').isVisible()).toBe(false);

        // Search: a word that only folded output has.
        await page.keyboard.press('/');
        expect(await page.evaluate('document.activeElement.id')).toBe('find');
        await page.keyboard.type('PRIVATE READONLY');
        await expect.poll(() => told.textContent()).toMatch(/^1 of \d+$/);
        const count = Number((await told.textContent())?.split(' of ')[1]);
        expect(count).toBeGreaterThan(1);
        const onScreen = `(() => {
        const [range] = [...CSS.highlights.get('current')];
        const { top, bottom } = range.getBoundingClientRect();
        return range.toString() + (top >= 0 && bottom <= innerHeight ? ' is on the screen' : ' is not: ' + top);
      })()`;
        expect(await page.evaluate(onScreen)).toBe('private readonly is on the screen');
        await page.keyboard.press('Enter');
        expect(await told.textContent()).toBe(`2 of ${count}`);
        await page.keyboard.press('Shift+Enter');
        await page.keyboard.press('Shift+Enter');
        expect(await told.textContent()).toBe(`${count} of ${count}`);
        await expect.poll(() => page.evaluate(onScreen)).toBe('private readonly is on the screen');
        await page.screenshot({ path: shots('search-dark') });
        await page.fill('#find', 'nothing has these words');
        await expect.poll(() => told.textContent()).toBe('none');
        await page.keyboard.press('Escape');
        expect(await told.textContent()).toBe('');

        // Turns: the list leads to them, and says where one is.
        await page.click('#turns li:nth-child(5) a');
        await expect.poll(() => page.locator('#turns [aria-current]').getAttribute('href')).toBe('#turn-5');
        await page.keyboard.press('k');
        await expect.poll(() => page.locator('#turns [aria-current]').getAttribute('href')).toBe('#turn-4');

        // Light and dark.
        const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
        const dark = await ground();
        await page.click('#theme');
        expect(await ground()).not.toBe(dark);

        // Printing: all that was said and done, whether it is folded or not.
        await page.keyboard.press('e');
        await page.keyboard.press('e');
        await page.emulateMedia({ media: 'print' });
        const hidden = `[...document.querySelectorAll('.turn .said, .turn pre')].filter((element) => !element.checkVisibility() || element.getBoundingClientRect().height === 0).length`;
        expect(await page.evaluate(hidden)).toBe(0);
        expect(await isSeen('.bar')).toBe(false);
        const pdf = await page.pdf({ path: join(ARTIFACTS, 'print.pdf'), format: 'A4' });
        expect(pdf.length).toBeGreaterThan(20_000);
        expect(watched).toEqual({ requests: [], dialogs: [], refused: [], errors: [] });
      },
    );
  });

  inBrowser(
    'fits on a phone, in both colours, with enough contrast and a name for everything',
    async (repo) => {
      const url = pageOf(repo, 'small', bigExport('small', 60_000, 5));
      for (const colorScheme of ['light', 'dark'] as const)
        await withBrowser(
          {
            viewport: { width: 390, height: 844 },
            colorScheme,
            isMobile: true,
            deviceScaleFactor: 2,
            reducedMotion: 'reduce',
          },
          async (browser) => {
            const page = await browser.newPage();
            await page.goto(url, { waitUntil: 'load' });
            await page.screenshot({ path: shots(`phone-${colorScheme}`) });
            await page.locator('article details:has(.diff) summary').first().click();
            await page.locator('article details:has(.diff)').first().scrollIntoViewIfNeeded();
            await page.screenshot({ path: shots(`phone-diff-${colorScheme}`) });
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
            expect(await page.evaluate(LOW_CONTRAST)).toEqual([]);
            const nameless = `[...document.querySelectorAll('button, input, nav, .bar a')].filter((element) => !element.getAttribute('aria-label')).length`;
            expect(await page.evaluate(nameless)).toBe(0);
            expect(await page.evaluate(`getComputedStyle(document.documentElement).scrollBehavior`)).toBe(
              'auto',
            );
          },
        );
    },
  );
});

/** What a page is made of: nothing that loads, runs or asks. */
const OURS = [
  'a',
  'article',
  'b',
  'button',
  'code',
  'dd',
  'details',
  'div',
  'dl',
  'dt',
  'figcaption',
  'figure',
  'form',
  'h1',
  'h2',
  'header',
  'input',
  'kbd',
  'li',
  'main',
  'nav',
  'ol',
  'output',
  'p',
  'path',
  'pre',
  'span',
  'summary',
  'svg',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'time',
  'tr',
];

/** Texts of which the contrast with what is behind them is less than 4.5, as WCAG 2 counts it. */
const LOW_CONTRAST = `(() => {
  const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (color) => {
    const [r, g, b] = channels(color).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (channels(color)[3] !== 0) return color;
    }
  };
  const wrong = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue.trim() !== '');
    if (!isText || !element.checkVisibility() || element.matches(':disabled, option')) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) wrong.add(element.localName + '.' + element.className + ' ' + contrast.toFixed(2));
  }
  return [...wrong];
})()`;
