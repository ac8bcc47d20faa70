import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import type { Message } from '../../agents/shared/session/message.ts';
import { toEnvelope } from './envelope.ts';
import { renderMarkdown } from './markdown.ts';

const envelopeOf = (messages: readonly Message[], title?: string) =>
  toEnvelope(
    'codex',
    {
      session_id: 'one',
      messages,
      system: null,
      parent_id: null,
      created_at: 1_795_000_000,
      updated_at: 1_795_000_100,
      metadata: { agent: 'codex', ...(title === undefined ? {} : { title }) },
    },
    [],
  );

test('a turn with an edit, a command that failed, and what it cost', () => {
  const messages: Message[] = [
    { role: 'user', content: 'Fix <it>', timestamp: 1_795_000_000 },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me **see**.' },
        {
          type: 'tool_use',
          id: 'a',
          name: 'Edit',
          input: { file_path: 'a.ts', old_string: 'one\ntwo', new_string: 'one\n2' },
        },
        {
          type: 'tool_use',
          id: 'b',
          name: 'Bash',
          input: { command: 'npm test', description: 'Run the tests' },
        },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'done' },
        { type: 'tool_result', tool_use_id: 'b', content: '\u001b[31m1 failed\u001b[0m', is_error: true },
      ],
    },
    {
      role: 'assistant',
      content: 'One test fails.',
      usage: {
        input_tokens: 1200,
        output_tokens: 80,
        cache_creation_tokens: 0,
        cache_read_tokens: 1000,
        cost_usd: 0.02,
      },
    },
  ];
  expect(renderMarkdown(envelopeOf(messages))).toMatchInlineSnapshot(`
    "# Fix \\<it\\>

    - **Agent:** Codex
    - **Session:** \`one\`
    - **Time:** 2026-11-18 11:06 UTC to 2026-11-18 11:08 UTC
    - **Turns:** 1
    - **Tokens:** 2,200 tokens in (1,000 cached), 80 out, $0.02

    ## 1. Fix \\<it\\>

    <sub>2026-11-18 11:06 UTC</sub>

    > Fix \\<it>

    Let me **see**.

    <details>
    <summary><b>Edit</b> a.ts</summary>

    \`a.ts\`

    \`\`\`diff
     one
    -two
    +2
    \`\`\`

    \`\`\`text
    done
    \`\`\`

    </details>

    <details>
    <summary><b>Bash</b> failed: Run the tests</summary>

    \`\`\`
    npm test
    \`\`\`

    \`\`\`text
    1 failed
    \`\`\`

    </details>

    One test fails.

    <sub>2,200 tokens in (1,000 cached), 80 out, $0.02</sub>
    "
  `);
});

test('headings of what is said stand below those of turns, and no character is hidden by its name', () => {
  const answer =
    'Done.\n\n# One\n\n## 2. Next\n\n> Two\n> ---\n\n- # In a list\n\n###### Six\n\n`&rlm;`\n\n&#x202e;gnp.exe &amp; &copy;';
  const messages: Message[] = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: answer },
  ];
  const text = renderMarkdown(envelopeOf(messages));
  expect(text.slice(text.indexOf('Done.'))).toMatchInlineSnapshot(`
    "Done.

    ### One

    #### 2. Next

    > #### Two
    > 

    - ### In a list

    ###### Six

    \`&rlm;\`

    \\&#x202e;gnp.exe \\&amp; \\&copy;
    "
  `);
});

const reader = new MarkdownIt({ html: true });
/** What we write as HTML; all else has to be text. */
const OURS = /^<details>\n<summary><b>[^<>]*<\/b>[^<>]*<\/summary>\n?$|^<\/details>\n?$|^<\/?sub>$/;

const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '```',
    '~~~~',
    '`',
    '<details>',
    '</details>',
    '<!--',
    '-->',
    '<script>',
    '</summary>',
    '![x](http://x)',
    '[a]: javascript:x',
    '\n',
    '\n\n',
    '> ',
    '- ',
    '    ',
    '# ',
    '***',
    '| a |\n| - |',
    '<pre>',
    '\\',
    '$$',
    '<![CDATA[',
    '<?',
    '\n===\n',
    '\n---\n',
    '## 7. A turn',
    '&#x202e;',
    '&rlm;',
    '[x](http://x "&#x202e;")',
  ),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('whatever is said, nothing gets out of its place, and nothing but ours is HTML', () => {
  fc.assert(
    fc.property(text, text, text, (one, two, title) => {
      const messages: Message[] = [
        { role: 'user', content: one },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: two },
            { type: 'thinking', text: one },
            {
              type: 'tool_use',
              id: 'a',
              name: title,
              input: { file_path: two, old_string: one, new_string: two },
            },
            { type: 'tool_use', id: 'b', name: 'Bash', input: { command: one } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b', content: two }] },
        { role: 'user', content: 'the last turn' },
      ];
      const tokens = reader.parse(renderMarkdown(envelopeOf(messages, title)), {});
      const inline = tokens.flatMap(({ children }) => children ?? []);
      const html = [...tokens, ...inline]
        .filter(({ type }) => type.startsWith('html'))
        .map(({ content }) => content);
      expect(html.filter((content) => !OURS.test(content))).toEqual([]);
      expect(html.filter((content) => content.startsWith('<details>')).length).toBe(
        html.filter((content) => content.startsWith('</details>')).length,
      );
      expect(inline.filter(({ type }) => type === 'image')).toEqual([]);
      const headings = tokens.filter(({ type }) => type === 'heading_open').map(({ tag }) => tag);
      expect(headings.filter((tag) => tag === 'h1')).toEqual(['h1']);
      expect(headings.filter((tag) => tag === 'h2')).toEqual(['h2', 'h2']);
      const seen = inline.map(({ content, attrs }) => `${content} ${attrs?.join(' ') ?? ''}`).join('');
      expect(seen).not.toMatch(/[\u200f\u202e]/);
      const quotes = tokens.filter(({ type, level }) => type === 'blockquote_open' && level === 0);
      const last = tokens.findLastIndex(({ type }) => type === 'blockquote_open');
      expect(tokens.slice(last).find(({ type }) => type === 'inline')?.content).toBe('the last turn');
      expect(quotes.length).toBeGreaterThan(0);
    }),
    { numRuns: 300 },
  );
});

test('files that a client names without their lines are named, with what became of them, and no JSON is shown', () => {
  const changes = [
    { path: 'a.ts', kind: 'add' },
    { path: 'b.ts', kind: 'delete' },
    { path: 'c.ts', kind: 'update' },
  ];
  const block = { type: 'tool_use', id: 't', name: 'file_change', input: { changes } };
  const text = renderMarkdown(
    envelopeOf([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [block] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: '' }] },
    ]),
  );
  expect(text.slice(text.indexOf('<details>'))).toMatchInlineSnapshot(`
    "<details>
    <summary><b>file&#95;change</b> a.ts, b.ts, c.ts</summary>

    \`a.ts\` (new)

    \`b.ts\` (deleted)

    \`c.ts\` (changed)

    </details>
    "
  `);
});
