import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import {
  assistant,
  BOTH,
  FIRST,
  ODD,
  OTHER,
  SECOND,
  SESSION,
  stepAt,
  text,
  toldRepo,
  user,
} from '../support/repository/told-repo.ts';
import { expectGolden } from '../support/runner/golden.ts';

/** What `entire explain` prints, on both streams, is what stands in the golden file. */
function onScreen(repo: TestRepo, name: string, ...args: string[]): void {
  const { code, stdout, stderr } = repo.tryEntire('explain', ...args);
  const said = `$ entire explain ${args.join(' ')}`.trimEnd();
  const shown = `${said}\n${stdout}${stderr === '' ? '' : `[stderr]\n${stderr}`}[exit ${code}]\n`;
  expectGolden(repo, `explain-${name}.txt`, shown);
}

scenario('each mode of explain prints what its golden file holds', (repo) => {
  toldRepo(repo);
  onScreen(repo, 'list');
  onScreen(repo, 'session', '--session', 'aaaa');
  onScreen(repo, 'session-none', '--session', 'nobody');
  onScreen(repo, 'checkpoint', '--checkpoint', '1a2');
  onScreen(repo, 'checkpoint-short', '-c', SECOND, '--short');
  onScreen(repo, 'checkpoint-summary', '-c', SECOND);
  onScreen(repo, 'checkpoint-full', '-c', SECOND, '--full');
  onScreen(repo, 'checkpoint-sessions', '-c', BOTH);
  onScreen(repo, 'checkpoint-odd', '-c', ODD);
  onScreen(repo, 'commit', '--commit', 'HEAD~4');
  onScreen(repo, 'commit-unlinked', '--commit', 'HEAD~1');
  onScreen(repo, 'raw', '-c', FIRST, '--raw-transcript');
  onScreen(repo, 'raw-sessions', '-c', BOTH, '--raw-transcript');
  onScreen(repo, 'json', '--json', '--session', SESSION);
  onScreen(repo, 'checkpoint-json', '-c', SECOND, '--json');
  onScreen(repo, 'not-found', '-c', 'ffff');
  onScreen(repo, 'help', '--help');
});

variation('explain shows the steps that no commit has yet as its golden files do', (repo) => {
  toldRepo(repo);
  const one = user('Add a file') + assistant(text('Added.'));
  const two = user('And another one') + assistant(text('Added as well.'));
  stepAt(repo, '2026-01-06T01:00:00Z', {
    session: OTHER,
    prompts: ['Add a file'],
    transcript: one,
    file: 'a.txt',
    subject: 'Add a file',
  });
  const step = stepAt(repo, '2026-01-06T02:00:00Z', {
    session: OTHER,
    prompts: ['Add a file', 'And another one'],
    transcript: one + two,
    file: 'b.txt',
    subject: 'And another one',
  });
  // Changes nothing but our own folder.
  stepAt(repo, '2026-01-06T03:00:00Z', {
    session: OTHER,
    prompts: ['Talk'],
    transcript: `${one}${two}x`,
    subject: 'Talk',
  });
  stepAt(repo, '2026-01-06T04:00:00Z', {
    session: SESSION,
    file: 'c.txt',
    subject: 'carry forward: uncommitted session files',
    more: 'Entire-Metadata: \n',
  });
  stepAt(repo, '2026-01-06T05:00:00Z', {
    session: SESSION,
    file: 'd.txt',
    subject: "Completed 'explore' agent: Look around (toolu_123456)",
    more: `Entire-Metadata-Task: .entire/metadata/${SESSION}/tasks/toolu_1\n`,
  });
  onScreen(repo, 'steps');
  onScreen(repo, 'step', step.slice(0, 9));
  onScreen(repo, 'step-full', '-c', step, '--full');
  onScreen(repo, 'step-short', '-c', step, '--short');
  onScreen(repo, 'step-json', '-c', step, '--json');
  onScreen(repo, 'step-raw', '-c', step, '--raw-transcript');
});
