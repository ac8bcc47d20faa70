import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const TEXT = 'caf\u00e9\r\nna\u00efve\r\n';
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const at = (repo: TestRepo, path: string): string => join(repo.dir, path);

/** An edit of a client that reads text, tells it without its line ends, and writes UTF-8. */
function edit(session: AgentSession, path: string, told: string): void {
  session.editWithoutHook(path, `${told}by the agent\n`);
  session.reportEdit(path, {
    tool_response: { type: 'update', originalFile: told.replaceAll('\r\n', '\n') },
  });
}

describe('bytes that are no UTF-8', () => {
  variation(
    'Latin-1 and UTF-16LE, committed or not, come back as they were, however they were read',
    (repo) => {
      repo.ready();
      const cases = [
        ['latin', Buffer.from(TEXT, 'latin1'), Buffer.from(TEXT, 'latin1').toString('utf8')],
        ['utf16', utf16(TEXT), TEXT],
        ['misread', utf16(TEXT), utf16(TEXT).toString('utf8')],
      ] as const;
      const files = cases.flatMap(([name, bytes, told]) =>
        ['clean', 'dirty'].map((state) => ({ path: `${state}/${name}.txt`, bytes, told })),
      );
      for (const { path, bytes } of files) {
        repo.write(path, '');
        writeFileSync(at(repo, path), bytes);
      }
      repo.commit('Clean', 'clean');
      const session = repo.session();
      session.prompt('change them');
      for (const { path, told } of files) edit(session, path, told);
      session.stop();
      repo.entire('undo');
      for (const { path, bytes } of files)
        expect(readFileSync(at(repo, path)).toString('hex'), path).toBe(bytes.toString('hex'));
      expect(repo.git('status', '--porcelain')).toBe('?? dirty/');
    },
  );

  variation(
    'a clean file comes back with the line ends that it had, where a checkout would write others',
    (repo) => {
      repo.ready().write('.gitattributes', '* text=auto\n').write('f.txt', 'one\r\ntwo\r\n');
      repo.commit('Text', '.gitattributes', 'f.txt');
      expect(repo.git('cat-file', 'blob', 'HEAD:f.txt')).not.toContain('\r');
      expect(repo.git('status', '--porcelain')).toBe('');
      const session = repo.session();
      session.prompt('change it');
      session.shell(() => repo.write('f.txt', 'three\n'));
      session.stop();
      repo.entire('undo');
      expect(repo.read('f.txt')).toBe('one\r\ntwo\r\n');
    },
  );

  variation('a file that git keeps in another encoding comes back as it is checked out', (repo) => {
    repo.ready();
    repo.write('.gitattributes', '*.txt text working-tree-encoding=UTF-16LE-BOM eol=crlf\n');
    // One client decodes it, another one takes its bytes for UTF-8.
    const told = { 'read.txt': TEXT, 'misread.txt': utf16(TEXT).toString('utf8') };
    for (const path of Object.keys(told)) writeFileSync(at(repo, path), utf16(TEXT));
    repo.commit('UTF-16', '.gitattributes', ...Object.keys(told));
    const session = repo.session();
    session.prompt('change them');
    for (const [path, text] of Object.entries(told)) edit(session, path, text);
    session.stop();
    repo.entire('undo');
    for (const path of Object.keys(told))
      expect(readFileSync(at(repo, path)).equals(utf16(TEXT)), path).toBe(true);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  variation(
    'a file of which nothing but a text is known is left, and comes back where it had been read',
    (repo) => {
      repo.ready();
      repo.write('.gitignore', '*.env\n');
      repo.commit('Ignore', '.gitignore');
      const session = repo.session();
      session.prompt('change them');
      for (const path of ['a.env', 'read.env', 'latin.env'])
        writeFileSync(at(repo, path), path === 'latin.env' ? Buffer.from(TEXT, 'latin1') : TEXT);
      session.readFile('read.env');
      for (const path of ['a.env', 'read.env']) edit(session, path, TEXT);
      edit(session, 'latin.env', Buffer.from(TEXT, 'latin1').toString('utf8'));
      session.stop();
      const { code, stdout } = repo.tryEntire('undo', '--files', 'a.env', 'read.env', 'latin.env');
      expect(code).toBe(1);
      expect(stdout).toContain(
        "left      a.env: its earlier version is known only by the agent's own account, which may not be exact",
      );
      expect(stdout).toContain('left      latin.env: what it was before is not known');
      expect(readFileSync(at(repo, 'read.env'), 'utf8')).toBe(TEXT);
      expect(readFileSync(at(repo, 'latin.env'), 'utf8')).toMatch(/by the agent\n$/);
    },
  );

  variation('two changes of a Latin-1 file are merged byte by byte, of a UTF-16 file never', (repo) => {
    repo.ready();
    const of = (encoding: 'latin1' | 'utf16le', top: string, end: string) =>
      Buffer.from(`${top}\n${'\u00e9t\u00e9\n'.repeat(10)}${end}\n`, encoding);
    for (const encoding of ['latin1', 'utf16le'] as const)
      writeFileSync(at(repo, encoding), of(encoding, 'top', 'end'));
    repo.commit('Both', 'latin1', 'utf16le');
    const session = repo.session();
    session.prompt('change them');
    session.shell(() => {
      for (const encoding of ['latin1', 'utf16le'] as const)
        writeFileSync(at(repo, encoding), of(encoding, 'agent', 'end'));
    });
    session.stop();
    for (const encoding of ['latin1', 'utf16le'] as const)
      writeFileSync(at(repo, encoding), of(encoding, 'agent', '\u00fcser'));
    expect(repo.tryEntire('undo').stdout).toContain('left      utf16le');
    expect(readFileSync(at(repo, 'latin1')).equals(of('latin1', 'top', '\u00fcser'))).toBe(true);
    expect(readFileSync(at(repo, 'utf16le')).equals(of('utf16le', 'agent', '\u00fcser'))).toBe(true);
  });
});
