import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENTS } from './agents/names.ts';
import { DESCRIPTIONS } from './cli/messages.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const filesIn = (dir: string): string[] =>
  readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name));

const readme = read('README.md');
const pages = [...readdirSync(root), ...filesIn('docs')].filter((name) => name.endsWith('.md'));

describe('README', () => {
  test('leads to a row for each command that one sees', () => {
    expect(readme).toContain('(docs/README.md)');
    const table = read('docs/README.md');
    const missing = Object.keys(DESCRIPTIONS).filter((name) => !table.includes(`\`entire ${name}\``));
    expect(missing).toEqual(['curl-bash-post-install']); // for installers
  });

  test('leads to the page of each agent', () => {
    for (const [name, { type }] of Object.entries(AGENTS))
      expect(readme).toContain(`[${type}](docs/agents/${name}.md)`);
  });

  test('is one page', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(180);
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1260);
  });

  test('leads to every page of docs, by itself or by another', () => {
    const reached = new Set(['README.md']);
    for (const page of reached)
      for (const { target } of linksOf(page)) if (pages.includes(target)) reached.add(target);
    expect(pages.filter((page) => page.startsWith('docs') && !reached.has(page))).toEqual([]);
  });
});

interface Link {
  /** From the top of the repository. */
  readonly target: string;
  readonly heading: string;
}

function linksOf(page: string): Link[] {
  return [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)].map(
    ([, path = '', heading = '']) => ({
      target: path === '' ? page : relative(root, resolve(root, dirname(page), path)),
      heading,
    }),
  );
}

/** As GitHub names them. */
const headingsOf = (page: string): string[] =>
  [
    ...read(page)
      .replace(/^```[\s\S]*?^```/gm, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(pages)('all links of %s lead somewhere', (page) => {
  const astray = linksOf(page).filter(
    ({ target, heading }) =>
      !existsSync(join(root, target)) || (heading !== '' && !headingsOf(target).includes(heading)),
  );
  expect(astray).toEqual([]);
});

test.each(pages.filter((page) => page.startsWith('docs') && !page.startsWith('docs/tests')))(
  '%s is for readers: it names no file of our tests, and no title',
  (page) => {
    const text = read(page).replace(/^```[\s\S]*?^```/gm, '');
    expect(text.match(/(?:src|integration)\/\S+\.test\.ts/g) ?? []).toEqual([]);
    expect(text.match(/(?<=\| |, )\*[a-z][^*|]{20,}\*(?=,| \|)/g) ?? []).toEqual([]);
  },
);

describe('the table of agents', () => {
  const table = read('docs/agents.md');
  const testFiles = ['src', 'integration']
    .flatMap(filesIn)
    .filter((name) => name.endsWith('.ts') && !name.includes('fixtures'))
    .map(read);

  test('has each agent, and a page about it', () => {
    for (const [name, { type }] of Object.entries(AGENTS)) {
      expect(table).toContain(`| [${type}](agents/${name}.md)`);
      expect(read(`docs/agents/${name}.md`)).toContain(type);
    }
  });

  const named = [...read('docs/tests/agents.md').matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(
    ([, title = '']) => title.replace(/\s+/g, ' '),
  );

  test.each(named)('names a test that there is: %s', (title) => {
    const isThere = testFiles.some((text) => text.includes(title));
    expect(isThere).toBe(true);
  });
});

test('pages that the program, its comments or a page name are there', () => {
  const sources = filesIn('src').filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const named = [...sources, ...pages, ...filesIn('scripts').filter((name) => name.endsWith('.ts'))].flatMap(
    (name) => [...read(name).matchAll(/(?<![\w./-])docs\/[\w/-]+\.md\b/g)].map(([page]) => page),
  );
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((page) => !existsSync(join(root, page)))).toEqual([]);
});

test('files of the source that a page names are there', () => {
  const files = ['src', 'integration', 'scripts'].flatMap(filesIn);
  const named = pages
    .filter((page) => page !== 'CHANGELOG.md' && !/^docs.agents/.test(page))
    .flatMap((page) =>
      [...read(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.ts)`/g)].map(([, name = '']) => ({ page, name })),
    );
  expect(named.length).toBeGreaterThan(50);
  const gone = named.filter(({ name }) => !files.some((file) => file === name || file.endsWith(`/${name}`)));
  expect(gone.filter(({ name }) => name !== 'src/file_deadbeef.ts')).toEqual([]); // an example of a name
});
