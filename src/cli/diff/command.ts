import { EntireError } from '../../base/errors.ts';
import { isNamedBy, type RepoPath } from '../../base/repo-path.ts';
import { countLinesOfEach } from '../../git/commit/line-counts.ts';
import type { Repo } from '../../git/locate.ts';
import { type AsideFile, withObjectsAside } from '../../git/object/aside.ts';
import { readLinkedCommit } from '../../history/linked-commit.ts';
import type { KeptTurn } from '../../restore/kept-turns.ts';
import { type FileVersions, readTurnContents, type TurnFile } from '../../restore/turn-contents.ts';
import { defineCommand, type FlagsOf } from '../command.ts';
import { exclusive } from '../messages.ts';
import { listKnownSessions } from '../names/sessions.ts';
import { nameOfTurn } from '../names/turns.ts';
import { toNames } from '../ui/paths.ts';
import { withProgress } from '../ui/progress.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, renderJson, say, warn } from '../ui/terminal.ts';
import { COMMIT_FORMAT, commitHeader, laterHeader, TURN_FORMAT, turnHeader } from './header.ts';
import { commitToJson, turnToJson } from './json.ts';
import { showCommits, toPair } from './show.ts';
import * as text from './text.ts';
import { type Chosen, choose, type IsMeant } from './which.ts';

const options = {
  stat: { type: 'boolean', describe: text.FLAGS.stat },
  'name-only': { type: 'boolean', describe: text.FLAGS.nameOnly },
  'word-diff': { type: 'boolean', describe: text.FLAGS.wordDiff },
  'no-pager': { type: 'boolean', describe: text.FLAGS.noPager },
  json: { type: 'boolean', describe: text.FLAGS.json },
} as const;

export const diffCommand = defineCommand({
  positionals: { what: { type: 'string', describe: text.FLAGS.what } },
  options,
  completes: { what: 'what' },
  examples: ['entire diff', 'entire diff bee76f83:-2', 'entire diff HEAD --stat', 'entire diff -- src'],
  async run({ what, ...flags }, { words }) {
    const repo = await requireRepo('diff');
    refuseContradictions(flags);
    const names = toNames(repo, words);
    const isMeant: IsMeant = (path) => names.length === 0 || isNamedBy(names, path);
    const chosen = await choose(repo, what, isMeant);
    if (chosen.kind === 'commit') return showCommit(repo, chosen, { flags, names, isMeant });
    return showTurns(repo, chosen, { flags, names, isMeant });
  },
});

type Flags = Partial<FlagsOf<typeof options>>;

interface Asked {
  readonly flags: Flags;
  /** Paths that were asked for; none for all. */
  readonly names: readonly RepoPath[];
  readonly isMeant: IsMeant;
}

const FORMS = ['stat', 'name-only', 'word-diff', 'json'] as const;

/** @throws {EntireError} `BAD_FLAGS` */
function refuseContradictions(flags: Flags): void {
  const [first, second] = FORMS.filter((name) => flags[name]);
  if (first && second) throw new EntireError('BAD_FLAGS', exclusive(first, second));
}

type Turns = Extract<Chosen, { kind: 'turns' }>;

async function showTurns(
  repo: Repo,
  { turns: all, nothing, note, hidden }: Turns,
  { flags, names, isMeant }: Asked,
): Promise<void> {
  const turns = all.map((turn) => ({ turn, paths: new Set([...turn.paths].filter(isMeant)) }));
  if (note !== undefined) warn(plain(note));
  if (turns.every(({ paths }) => paths.size === 0))
    return say(flags.json ? '[]' : plain(names.length > 0 ? text.nothingAt(names) : nothing));
  await withObjectsAside(repo, async (aside) => {
    const meant = turns.map(({ turn, paths }) => ({ ...turn, paths }));
    const contents = await withProgress(({ step }) =>
      readTurnContents(repo, aside, meant, (done, total) => step(text.READING, done, total)),
    );
    const unsureOf = ({ record }: KeptTurn): RepoPath[] => [...record.left.keys()].filter(isMeant).toSorted();
    const known = listKnownSessions({ repo });
    const rounds = turns.map(({ turn }, at) => {
      const name = nameOfTurn(repo, turn, known);
      const files = contents[at] ?? [];
      const besides = { name, unsure: unsureOf(turn), hidden: at === 0 ? hidden : undefined };
      const header = turnHeader(turn, files, besides);
      return roundsOf(files).map((versions, round) =>
        toPair(round === 0 ? header : laterHeader(name, header), versions),
      );
    });
    const commits = aside.addPairs(rounds.flat());
    if (!flags.json) return showCommits(aside, flags, TURN_FORMAT, commits);
    const counts = countLinesOfEach(aside.git, commits);
    const left = [...commits];
    const json = turns.map(({ turn }, at) => {
      const own = left.splice(0, rounds[at]?.length);
      const more = { counts: own.map((oid) => counts.get(oid) ?? new Map()), unsure: unsureOf(turn) };
      return turnToJson(turn, contents[at] ?? [], more);
    });
    say(renderJson(json));
  });
}

/** What was made of files, each time as far as nobody else wrote in between. There is one at least, for its header. */
function roundsOf(files: readonly TurnFile[]): FileVersions[][] {
  const count = files.reduce((most, { versions }) => Math.max(most, versions.length), 1);
  return Array.from({ length: count }, (_, round) => files.flatMap(({ versions }) => versions[round] ?? []));
}

async function showCommit(
  repo: Repo,
  { branch, row }: Extract<Chosen, { kind: 'commit' }>,
  { flags, names, isMeant }: Asked,
): Promise<void> {
  const commit = await readLinkedCommit(branch, row);
  const changes = new Map([...commit.changes].filter(([path]) => isMeant(path)));
  if (changes.size === 0 && names.length > 0) return say(flags.json ? '[]' : plain(text.nothingAt(names)));
  await withObjectsAside(repo, async (aside) => {
    const versions = [...changes].map(
      ([path, { before, after }]): FileVersions => ({
        before: before && ({ path, ...before } as AsideFile),
        after: after && ({ path, ...after } as AsideFile),
      }),
    );
    const commits = aside.addPairs([toPair(commitHeader(commit), versions)]);
    if (!flags.json) return showCommits(aside, flags, COMMIT_FORMAT, commits);
    const counts = [...countLinesOfEach(aside.git, commits).values()];
    say(renderJson([commitToJson(commit, changes, counts)]));
  });
}
