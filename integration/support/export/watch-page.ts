import type { Page } from 'playwright-core';

/** What a page did that it must not do. */
export interface Watched {
  /** Addresses that it asked for, but its own. */
  readonly requests: string[];
  readonly dialogs: string[];
  /** What the content policy refused, as the browser says it. */
  readonly refused: string[];
  readonly errors: string[];
}

/** Notes what a page asks for and does. Nothing but its own address is answered. */
export async function watchPage(page: Page, own: string): Promise<Watched> {
  const watched: Watched = { requests: [], dialogs: [], refused: [], errors: [] };
  await page.route('**/*', (route) => (route.request().url() === own ? route.continue() : route.abort()));
  page.on('request', (request) => {
    if (request.url() !== own && request.url() !== 'data:,') watched.requests.push(request.url());
  });
  page.on('dialog', async (dialog) => {
    watched.dialogs.push(dialog.message());
    await dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) watched.refused.push(message.text());
    else if (message.type() === 'error') watched.errors.push(message.text());
  });
  page.on('pageerror', (error) => watched.errors.push(String(error)));
  return watched;
}

/** When something was on the screen, in milliseconds since the page was asked for; and how far the document was then. */
export interface FirstScreen {
  readonly ms: number;
  readonly readyState: string;
  readonly turns: number;
}

/** Notes when the first prompt is on the screen: in the first frame that has it. To be called before the page is opened. */
export async function watchFirstScreen(page: Page): Promise<() => Promise<FirstScreen | undefined>> {
  await page.addInitScript(`
    const look = () => {
      const prompt = document.querySelector('.prompt');
      const { top, height } = prompt ? prompt.getBoundingClientRect() : { top: innerHeight, height: 0 };
      if (top >= innerHeight || height === 0) return requestAnimationFrame(look);
      window.firstScreen = {
        ms: performance.now(),
        readyState: document.readyState,
        turns: document.querySelectorAll('.turn').length,
      };
    };
    requestAnimationFrame(look);
  `);
  return () => page.evaluate<FirstScreen | undefined>('window.firstScreen');
}
