/**
 * Three sessions on a branch, an autosquash, and a squash merge in another person's clone: what each command says of whose the lines
 * are, in both clones. The environment is described in `client.test.ts`.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Clone } from '../clone.ts';
import type { ClaudeWorld } from './fixture.ts';
import { bash, edit, test, write } from './fixture.ts';

const BYE = "export const leave = (name) => 'So long, ' + name;";
const HELLO = "export const greet = (name) => 'Hello, ' + name;";
const SHOUT_WRONG = 'export const shout = (text) => text.toUperCase();';
const SHOUT = 'export const shout = (text) => text.toUpperCase();';
const WAVE = "export const wave = () => '(waves a hand)';";
const PARSE = "export const parse = (line) => line.split(';');";
const JOIN = "export const unparse = (fields) => fields.join(';');";
const LOGGED = 'parsed by hand on a Tuesday';

/** Three sessions, and what the user does between them, each committed on a branch of its own. Returns ids of sessions. */
async function workOnBranch(world: ClaudeWorld): Promise<Record<'greeting' | 'parsing' | 'mending', string>> {
  const model = await world.model([
    {
      keyword: 'GREET-PEOPLE',
      steps: [write(world, 'greet.js', `${HELLO}\n${SHOUT_WRONG}\n${BYE}\n`), { say: 'Greeted.' }],
    },
    {
      keyword: 'PARSE-LINES',
      steps: [
        write(world, 'parse.js', `${PARSE}\n`),
        bash(`printf '%s\\n' "${JOIN}" >> parse.js`),
        ...edit(world, 'old.txt', 'two', 'two, as the parser has it'),
        { say: 'Parsed.' },
      ],
    },
    { keyword: 'MEND-SHOUTING', steps: [...edit(world, 'greet.js', SHOUT_WRONG, SHOUT), { say: 'Mended.' }] },
  ]);
  const session = async (prompt: string) => (await world.claude(model, prompt).done).session_id;
  world.git('switch', '--quiet', '--create', 'feature');
  const greeting = await session('GREET-PEOPLE by their names');
  world.commitAsUser('Greet', 'greet.js');
  appendFileSync(world.path('greet.js'), `${WAVE}\n`);
  world.commitAsUser('Wave', 'greet.js');
  const parsing = await session('PARSE-LINES into fields');
  appendFileSync(world.path('log.txt'), `${LOGGED}\n`);
  world.commitAsUser('Parse', '.');
  const mending = await session('MEND-SHOUTING please');
  world.git('add', 'greet.js');
  world.git('commit', '--quiet', '--fixup=HEAD~2');
  return { greeting, parsing, mending };
}

type Names = Readonly<Record<string, string>>;

interface Told {
  readonly lines: Readonly<Record<string, readonly string[]>>;
  /** Of each commit, the newest first: its subject, and the sessions that led to it, in the order of their names. */
  readonly log: readonly (readonly string[])[];
}

const asJson = (clone: Clone, ...args: readonly string[]) => JSON.parse(clone.entire(...args, '--json'));

/** What a clone says of whose each line is: the name of a session, `human` or `unknown`. */
function ask(clone: Clone, sessions: Names): Told {
  const names = new Map(Object.entries(sessions).map(([name, id]) => [id, name]));
  const ownersIn = (file: string): string[] =>
    asJson(clone, 'blame', file).lines.map(
      (line: { class: string; session_id: string | null }) =>
        (line.session_id && names.get(line.session_id)) ?? line.class,
    );
  const files = ['greet.js', 'parse.js', 'old.txt', 'log.txt'];
  return {
    lines: Object.fromEntries(files.map((file) => [file, ownersIn(file)])),
    log: asJson(clone, 'log').map((entry: { subject: string; sessions: { session_id: string }[] }) => [
      entry.subject,
      ...entry.sessions.map((one) => names.get(one.session_id) ?? one.session_id).sort(),
    ]),
  };
}

/** Sessions and files of a commit that `entire why` calls linked. */
function linked(clone: Clone, sessions: Names, commit = 'HEAD'): Readonly<Record<string, readonly string[]>> {
  const { status, sessions: shares, problems, advice } = asJson(clone, 'why', commit);
  expect({ status, problems, advice }).toEqual({ status: 'linked', problems: [], advice: [] });
  return Object.fromEntries(
    shares.map((share: { session_id: string; files_in_commit: string[] }) => [
      Object.keys(sessions).find((name) => sessions[name] === share.session_id) ?? share.session_id,
      share.files_in_commit,
    ]),
  );
}

/** Ada's clone with a remote that others have, too. */
function share(world: ClaudeWorld): string {
  const remote = join(world.base, 'origin.git');
  world.git('init', '--quiet', '--bare', '--initial-branch=main', remote);
  world.git('remote', 'add', 'origin', remote);
  world.entire('enable', '--agent', 'claude-code', '--push-sessions');
  world.commitAsUser('Set up', '.');
  world.git('push', '--quiet', '--set-upstream', 'origin', 'main');
  return remote;
}

const LINES = {
  'greet.js': ['greeting', 'mending', 'greeting', 'human'],
  'parse.js': ['parsing', 'parsing'],
  'old.txt': ['unknown', 'parsing'], // the first commit is older than Entire here
};
const LINKS = { greeting: ['greet.js'], mending: ['greet.js'], parsing: ['old.txt', 'parse.js'] };

test('links and lines stay right in both clones', async ({ world }) => {
  const remote = share(world);
  const ids = await workOnBranch(world);
  world.git('-c', 'sequence.editor=:', 'rebase', '--quiet', '--interactive', '--autosquash', 'main');
  const branch = {
    lines: { ...LINES, 'log.txt': ['unknown', 'human'] },
    log: [['Parse', 'parsing'], ['Wave'], ['Greet', 'greeting', 'mending']],
  };
  expect(ask(world, ids)).toEqual(branch);
  expect(linked(world, ids, 'HEAD~2')).toEqual({ greeting: ['greet.js'], mending: ['greet.js'] });
  world.git('push', '--quiet', '--set-upstream', 'origin', 'feature');

  const bob = world.clone(remote, 'Bob');
  bob.entire('enable', '--agent', 'claude-code', '--push-sessions');
  bob.entire('fetch');
  writeFileSync(bob.path('log.txt'), `zeroth, says Bob\n${bob.read('log.txt')}`);
  bob.commitAsUser('Count from zero', 'log.txt');
  bob.git('merge', '--quiet', '--squash', 'origin/feature');
  bob.commitAsUser('Feature (#1)');
  bob.git('push', '--quiet');
  world.git('switch', '--quiet', 'main');
  world.git('pull', '--quiet');

  const log = [
    ['Feature (#1)', 'greeting', 'mending', 'parsing'],
    ['Count from zero'],
    ['Set up'],
    ['Begin'],
  ];
  // Each clone knows who was at work in it, and of no other one.
  const places = [
    { clone: world, bobsLine: 'unknown' },
    { clone: bob, bobsLine: 'human' },
  ];
  for (const { clone, bobsLine } of places) {
    expect(ask(clone, ids)).toEqual({
      lines: { ...LINES, 'log.txt': [bobsLine, 'unknown', 'human'] },
      log,
    });
    expect(linked(clone, ids)).toEqual(LINKS);
    const { added, surviving, sessions, by_session: bySession } = asJson(clone, 'stats', 'HEAD');
    const isKnown = bobsLine === 'human' ? 1 : 0;
    expect(added).toEqual({ agent: 6, human: 2 + isKnown, unknown: 4 - isKnown });
    expect(surviving).toEqual({ agent: 6, human: 2 + isKnown, unknown: 3 - isKnown });
    const linesOf = (id: string) =>
      bySession.find(({ key }: { key: string }) => key === id)?.surviving.agent as number;
    expect(Object.values(ids).map(linesOf)).toEqual([2, 3, 1]);
    expect(sessions.map((one: { session_id: string }) => one.session_id).sort()).toEqual(
      Object.values(ids).sort(),
    );
    expect(sessions.map((one: { prompts: number }) => one.prompts)).toEqual([1, 1, 1]);
  }
  expect(asJson(world, 'stats', 'HEAD').sessions).toEqual(asJson(bob, 'stats', 'HEAD').sessions);
});

test('a clone without Entire squashes, and another one that was never told finds the links by itself', async ({
  world,
}) => {
  const remote = share(world);
  const ids = await workOnBranch(world);
  world.git('-c', 'sequence.editor=:', 'rebase', '--quiet', '--interactive', '--autosquash', 'main');
  world.git('push', '--quiet', '--set-upstream', 'origin', 'feature');

  const bob = world.clone(remote, 'Bob');
  bob.git('merge', '--quiet', '--squash', 'origin/feature');
  bob.commitAsUser('Feature (#1)');
  bob.git('push', '--quiet');
  bob.git('push', '--quiet', '--delete', 'origin', 'feature');
  world.git('switch', '--quiet', 'main');
  world.git('pull', '--quiet', '--prune');

  const carol = world.clone(remote, 'Carol');
  carol.entire('enable', '--agent', 'claude-code');
  carol.entire('fetch');
  carol.entire('relink');
  for (const clone of [world, carol]) {
    expect(ask(clone, ids)).toEqual({
      lines: { ...LINES, 'log.txt': ['unknown', 'human'] },
      log: [['Feature (#1)', 'greeting', 'mending', 'parsing'], ['Set up'], ['Begin']],
    });
    expect(linked(clone, ids)).toEqual(LINKS);
  }
});
