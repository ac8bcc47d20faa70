import { expect, test } from 'vitest';
import { renderMarkup } from './markup.ts';

test('what an entity or an address hides is shown by its name', () => {
  expect(
    renderMarkup('&#x202E;gnp.exe a&shy;b https://e.com/%E2%80%AEgnp [x](http://a.b "&#x202E;t") `&#x202E;`'),
  ).toBe(
    '<p>⟦U+202E⟧gnp.exe a⟦U+00AD⟧b <a href="https://e.com/%E2%80%AEgnp" rel="noopener noreferrer nofollow">https://e.com/⟦U+202E⟧gnp</a> <a href="http://a.b" title="⟦U+202E⟧t" rel="noopener noreferrer nofollow">x</a> <code>&amp;#x202E;</code></p>\n',
  );
});

test('code can be scrolled by the keyboard, and has nothing but its text', () => {
  const code = '<pre tabindex="0" dir="ltr"><code>a &lt; b\n</code></pre>\n';
  expect(renderMarkup('```&#x202E;js" onclick="x\na < b\n```')).toBe(code);
  expect(renderMarkup('    a < b\n')).toBe(code);
});
