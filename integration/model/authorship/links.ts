import { relink } from '../../support/command/relink.ts';
import { TestRepo } from '../../support/repository/test-repo.ts';
import type { Story } from './story.ts';
import { AGENTS, type Agent, linesOf } from './text.ts';

/** Commits in which links were looked for, and how many sessions are in them. */
export interface LinkTally {
  commits: number;
  held: number;
}

/**
 * Holds the links of each commit against the truth, after `entire relink`: each session whose lines the commit brings is linked to it, and no
 * note names one of whose lines there are none. A clone that has the branches alone must say the same.
 */
export function judgeLinks(story: Story, tally: LinkTally, way: string): void {
  const { repo } = story;
  check(story, repo, way, tally);
  const fresh = new TestRepo(repo.build);
  try {
    repo.git('clone', '--quiet', '--branch', 'main', `file://${repo.dir}`, `${fresh.dir}/clone`);
    fresh.dir = `${fresh.dir}/clone`;
    fresh.git('fetch', '--quiet', 'origin', 'entire/checkpoints/v1:entire/checkpoints/v1');
    check(story, fresh, `${way}, in a clone`, { commits: 0, held: 0 });
  } finally {
    fresh.remove();
  }
}

function check(story: Story, repo: TestRepo, way: string, tally: LinkTally): void {
  for (const { commit, subject, checkpoints, unproved } of relink(repo).commits) {
    const brought = sessionsIn(story, broughtBy(repo, commit));
    const added = sessionsIn(story, addedBy(repo, commit));
    const linked = new Set(
      [...checkpoints.map(({ checkpoint }) => checkpoint), ...unproved].flatMap((id) =>
        sessionsOf(story, id),
      ),
    );
    tally.commits++;
    tally.held += brought.size;
    const tell = (what: string) => {
      story.wrong.push(`${commit.slice(0, 7)} ${subject} ${what}, after ${way}`);
      if (process.env.ENTIRE_STORIES_COLLECT === '1') console.log(story.wrong.at(-1));
    };
    for (const agent of brought)
      if (!linked.has(agent)) tell(`has lines of ${agent} and is not linked to it`);
    for (const { checkpoint, proof } of checkpoints.filter((one) => one.new)) {
      const theirs = sessionsOf(story, checkpoint);
      if (!theirs.some((agent) => added.has(agent)))
        tell(`has no line of ${theirs.join()} and is linked to ${checkpoint} by its ${proof}`);
    }
  }
}

const sessionsOf = ({ repo, sessions }: Story, id: string): Agent[] =>
  repo
    .storedPaths(id)
    .filter((path) => /^\d+\/metadata\.json$/.test(path))
    .flatMap((path) => AGENTS.filter((agent) => sessions[agent].id === repo.storedJson(id, path).session_id));

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
