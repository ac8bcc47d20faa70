import { describe, expect, test } from 'vitest';
import { explain, sshEnvironment } from './transport.ts';

const REF = 'refs/heads/entire/checkpoints/v1:refs/heads/entire/checkpoints/v1';
const answer = (stderr: string, rejected?: string) =>
  explain(
    { code: 1, timedOut: false, stderr, stdout: rejected ? `To x\n!\t${REF}\t${rejected}\nDone` : '' },
    30_000,
  );

describe('what a failed git means', () => {
  test.each([
    ['moved', '', '[rejected] (fetch first)'],
    ['moved', '', '[rejected] (non-fast-forward)'],
    ['moved', '', '[remote rejected] (failed to update ref)'],
    ['moved', '', '[remote rejected] (cannot lock ref)'],
    ['refused', 'remote: error: GH013: no', '[remote rejected] (pre-receive hook declined)'],
    ['auth', "fatal: could not read Username for 'https://h': terminal prompts disabled", undefined],
    [
      'auth',
      'git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.',
      undefined,
    ],
    ['missing', 'remote: Repository not found.', undefined],
    [
      'missing',
      "fatal: '/x' does not appear to be a git repository\nfatal: Could not read from …",
      undefined,
    ],
    ['offline', "fatal: unable to access 'https://h/': Could not resolve host: h", undefined],
    ['failed', 'fatal: the unheard-of', undefined],
    ['failed', '', undefined],
  ])('%s: %s %s', (code, stderr, rejected) => {
    expect(answer(stderr, rejected).code).toBe(code);
  });

  test('of a ref here that is locked names the file, whatever the remote says', () => {
    const lock = `/${'long/'.repeat(80)}refs/entire/x.lock`;
    const said = `remote: Welcome\nerror: cannot lock ref 'x': Unable to create '${lock}': File exists.\n\nAnother`;
    expect(answer(said)).toEqual({ code: 'locked', reason: `a ref is locked: '${lock}': File exists` });
    expect(answer(said.replace('error:', 'remote: error:')).code).toBe('failed');
  });

  test('is told in one line, without passwords', () => {
    const { reason } = answer(
      "fatal: unable to access 'https://me:pw@h/x/':\n  Could not\tresolve host: h\nmore",
    );
    expect(reason).toBe("unable to access 'https://h/x/': Could not resolve host: h");
    expect(answer('remote: no\nremote: really', '[remote rejected] (hook declined)').reason).toBe(
      '[remote rejected] (hook declined): no',
    );
    expect(answer('x'.repeat(2000)).reason.length).toBeLessThan(310);
  });

  test('no answer in time', () => {
    const output = { code: undefined, timedOut: true, stdout: '', stderr: 'fatal: x' };
    expect(explain(output, 1500)).toEqual({ code: 'timeout', reason: 'no answer within 1.5 s' });
  });
});

describe('ssh', () => {
  const command = (configured: string | undefined, interactive: boolean, env = {}) =>
    sshEnvironment(configured, interactive, 9, env).GIT_SSH_COMMAND;
  test('must not ask where nobody answers', () => {
    expect(command(undefined, false)).toBe('ssh -o ConnectTimeout=9 -o BatchMode=yes');
    expect(command(undefined, true)).toBe('ssh -o ConnectTimeout=9');
    expect(command('/usr/bin/ssh -i key', false)).toContain('/usr/bin/ssh -i key -o');
    expect(command('ssh', false, { GIT_SSH_COMMAND: 'ssh -v' })).toContain('ssh -v -o');
  });
  test('programs that are not OpenSSH are left alone', () => {
    expect(command('plink', false)).toBeUndefined();
    expect(command(undefined, false, { GIT_SSH: '/opt/tortoise' })).toBeUndefined();
  });
});
