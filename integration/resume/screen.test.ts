import { rmSync } from 'node:fs';
import { goOn, turn } from '../support/command/resume.ts';
import { scenario } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { expectGolden } from '../support/runner/golden.ts';

/** What the command prints, on both streams, is what stands in the golden file `name`. */
function onScreen(
  repo: TestRepo,
  name: string,
  words: string,
  named: Readonly<Record<string, string>>,
): void {
  const { code, stdout, stderr } = repo.tryEntire(...words.split(' '));
  const said = `${stdout}${stderr === '' ? '' : `[stderr]\n${stderr}`}`
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g, '<time>')
    .replace(/\d{8}T\d{6}Z-[0-9a-f]{12}/g, '<time>-<12 hex>');
  expectGolden(repo, `${name}.txt`, `$ entire ${words}\n${said}[exit ${code}]\n`, named);
}

scenario('resume prints what its golden files hold', (repo) => {
  repo.ready();
  repo.git('switch', '--quiet', '-c', 'feature');
  const session = repo.session('5e551011-0000-4000-8000-000000000001');
  const id = turn(repo, session, 'a.txt');
  repo.git('switch', '--quiet', 'main');
  const named = { id };
  onScreen(repo, 'resume-help', 'resume --help', named);
  onScreen(repo, 'resume-newest', 'resume', named);
  rmSync(session.transcript);
  onScreen(repo, 'resume-dry-run', 'resume feature --dry-run', named);
  onScreen(repo, 'resume-branch', 'resume feature', named);
  goOn(session);
  onScreen(repo, 'resume-newer', 'resume feature', named);
  onScreen(repo, 'resume-force', 'resume feature --force', named);
  rmSync(session.transcript);
  onScreen(repo, 'resume-json', 'resume feature --json', named);
});
