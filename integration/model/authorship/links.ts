import { expect } from 'vitest';
import { relink } from '../../support/command/relink.ts';
import { TestRepo } from '../../support/repository/test-repo.ts';
import { explore } from '../../support/runner/explore.ts';
import { judge } from './judge.ts';
import { expectAuthors, newTally, STORY_LENGTH, stories } from './stories.ts';
import type { Story } from './story.ts';
import { AGENTS, type Agent, linesOf } from './text.ts';

/** Commits in which links were looked for, and how many sessions are in them. */
export interface LinkTally {
  commits: number;
  held: number;
  missed: number;
  wrong: number;
}

/** What is found out of a story, each once: commits do not change. */
interface Known {
  steps: number;
  readonly brought: Map<string, string[]>;
  readonly added: Map<string, string[]>;
  readonly told: Set<string>;
}

const known = new WeakMap<Story, Known>();

/** Takes that many stories, whose seed is printed, and holds the links of their commits against the truth. */
export async function holdLinks(count: number, usualSeed?: number): Promise<void> {
  const tally = newLinkTally();
  await explore(
    stories((story, way) => judgeLinks(story, tally, way)),
    count * STORY_LENGTH,
    usualSeed,
  );
  expectLinks(tally);
}

/** Holds both in the same stories: what `relink` finds is written at the end of each, so that authors are told without it. */
export async function holdAuthorsAndLinks(count: number): Promise<void> {
  const [lines, links] = [newTally(), newLinkTally()];
  const hold = (story: Story, way: string): void => {
    judge(story, lines, way);
    judgeLinks(story, links, way, story.taken < STORY_LENGTH ? ['--dry-run'] : []);
  };
  await explore(stories(hold), count * STORY_LENGTH);
  expectAuthors(lines);
  expectLinks(links);
}

const newLinkTally = (): LinkTally => ({ commits: 0, held: 0, missed: 0, wrong: 0 });

function expectLinks(tally: LinkTally): void {
  console.log(tally);
  expect(tally.held).toBeGreaterThan(0);
  expect(tally.wrong).toBe(0);
  expect(tally.missed).toBe(0);
}

/**
 * Holds the links of each commit against the truth, after `entire relink`: each session whose lines the commit brings is linked to it, no
 * note names one of whose lines there are none, and no checkpoint that was made for it has one that never changed a file of it. At the end of the
 * story a clone must say the same: one that has the branches alone, but for lines of conflicts, and all of it with the notes.
 *
 * `ENTIRE_STORIES_SHOW=1` prints what led to each that is not so.
 *
 * @param args for `entire relink`
 */
function judgeLinks(story: Story, tally: LinkTally, way: string, args: readonly string[] = []): void {
  const { repo } = story;
  const facts = known.get(story) ?? { steps: 0, brought: new Map(), added: new Map(), told: new Set() };
  known.set(story, facts);
  const isAny = () => true;
  check(story, repo, facts, { way, tally, isAsked: isAny, args });
  if (++facts.steps % STORY_LENGTH !== 0) return;
  const fresh = new TestRepo(repo.build);
  try {
    repo.git('clone', '--quiet', '--branch', 'main', `file://${repo.dir}`, `${fresh.dir}/clone`);
    fresh.dir = `${fresh.dir}/clone`;
    fresh.git('fetch', '--quiet', 'origin', 'entire/checkpoints/v1:entire/checkpoints/v1');
    const isAsked = (line: string): boolean => !story.inConflict.has(plain(line));
    check(story, fresh, facts, { way: `${way}, in a clone`, tally, isAsked });
    fresh.git('fetch', '--quiet', 'origin', '+refs/notes/*:refs/notes/*');
    check(story, fresh, facts, { way: `${way}, in a clone with notes`, tally, isAsked: isAny });
  } finally {
    fresh.remove();
  }
}

interface Asked {
  readonly way: string;
  readonly tally: LinkTally;
  /** Whether a line counts. */
  readonly isAsked: (line: string) => boolean;
  /** For `entire relink`. */
  readonly args?: readonly string[];
}

function check(story: Story, repo: TestRepo, facts: Known, { way, tally, isAsked, args = [] }: Asked): void {
  const sessions = readSessions(story);
  const sessionsOf = (id: string): Agent[] => [...(sessions.get(id) ?? [])];
  for (const { commit, subject, checkpoints, unproved } of relink(repo, ...args).commits) {
    const lines = once(facts.brought, commit, () => broughtBy(repo, commit));
    const brought = sessionsIn(story, lines.filter(isAsked));
    const added = sessionsIn(
      story,
      once(facts.added, commit, () => addedBy(repo, commit)),
    );
    const linked = new Set([...checkpoints, ...unproved].flatMap(({ checkpoint }) => sessionsOf(checkpoint)));
    tally.commits++;
    tally.held += brought.size;
    const tell = (what: string, isWrong = false): boolean => {
      if (facts.told.has(`${commit} ${what}`)) return false;
      facts.told.add(`${commit} ${what}`);
      const line = `${commit.slice(0, 7)} ${subject} ${what}, after ${way}`;
      if (isWrong) story.wrong.push(line);
      console.log(line);
      if (process.env.ENTIRE_STORIES_SHOW === '1')
        console.log([...story.story, ...(facts.brought.get(commit) ?? [])].join('\n'));
      return true;
    };
    for (const agent of brought)
      if (!linked.has(agent) && tell(`has lines of ${agent} and is not linked to it`)) tally.missed++;
    for (const { checkpoint, proof } of checkpoints.filter((one) => one.new)) {
      const theirs = sessionsOf(checkpoint);
      if (theirs.some((agent) => added.has(agent))) continue;
      const what = `has no line of ${theirs.join()} and is linked to ${checkpoint} by its ${proof}`;
      if (tell(what, true)) tally.wrong++;
    }
    // What a note names, or what was made anew, may have the lines of one session of several.
    for (const { checkpoint } of checkpoints.filter(({ proof }) => proof === 'commit'))
      for (const agent of sessionsOf(checkpoint)) {
        if (added.has(agent) || hasChanged(story, repo, commit, agent)) continue;
        if (tell(`has nothing of ${agent} and names ${checkpoint}`, true)) tally.wrong++;
      }
  }
}

/** Whether a session ever changed a file that a commit changes: it moved or laid out lines of others there, or its own are gone since. */
function hasChanged({ changedBy }: Story, repo: TestRepo, commit: string, agent: Agent): boolean {
  const names = repo.git('diff-tree', '-r', '--no-commit-id', '--name-only', '--root', '-m', commit);
  return names.split('\n').some((path) => changedBy.get(path)?.has(agent));
}

function once(found: Map<string, string[]>, commit: string, find: () => string[]): string[] {
  const lines = found.get(commit) ?? find();
  found.set(commit, lines);
  return lines;
}

/** Which sessions are in which checkpoint. */
function readSessions({ repo, sessions }: Story): Map<string, Set<Agent>> {
  const found = new Map<string, Set<Agent>>();
  const { stdout } = repo.run('git', [
    'grep',
    '-F',
    '"session_id"',
    'entire/checkpoints/v1',
    '--',
    '*/metadata.json',
  ]);
  for (const [, shard, rest, session] of stdout.matchAll(
    /:([0-9a-f]{2})\/([0-9a-f]{10})\/\d+\/metadata\.json:.*"session_id": *"([^"]*)"/g,
  ))
    for (const agent of AGENTS)
      if (sessions[agent].id === session)
        found.set(`${shard}${rest}`, (found.get(`${shard}${rest}`) ?? new Set()).add(agent));
  return found;
}

/** Sessions that wrote lines which are like no other. */
const sessionsIn = ({ truth }: Story, lines: readonly string[]): Set<Agent> =>
  new Set(truth.of(lines).flatMap((line) => (line?.isUnique && line.author !== 'user' ? [line.author] : [])));

const plain = (line: string): string => line.trim();

/** Lines that a commit adds to a file, also those that it only moves or lays out anew. */
function addedBy(repo: TestRepo, commit: string): string[] {
  const patch = repo.git('show', '--format=', '--unified=0', '--first-parent', '-m', commit, '--', '*.ts');
  return linesOf(patch).flatMap((row) =>
    row.startsWith('+') && !row.startsWith('+++') ? [row.slice(1)] : [],
  );
}

/** Lines that no file of its parent has. */
function broughtBy(repo: TestRepo, commit: string): string[] {
  const linesAt = (revision: string): string[] => {
    const { code, stdout } = repo.run('git', ['grep', '-h', '', revision, '--', '*.ts']);
    return code === 0 ? linesOf(stdout) : [];
  };
  const before = new Set(linesAt(`${commit}~1`).map(plain));
  return addedBy(repo, commit).filter((line) => !before.has(plain(line)));
}
