import type { TestRepo } from '../repository/test-repo.ts';

/**
 * Reads checkpoints with nothing but git and the layout that ARCHITECTURE.md documents, as another program would that
 * was written from it. Shares no code with the product.
 */
export interface SpecSession {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly prompts: readonly string[];
  readonly transcript: string;
}

export interface SpecCheckpoint {
  readonly id: string;
  readonly root: Readonly<Record<string, unknown>>;
  readonly sessions: readonly SpecSession[];
}

const BRANCH = 'entire/checkpoints/v1';

/** Every checkpoint on the metadata branch, by id. @throws where the branch is not as documented */
export function readAllBySpec(repo: TestRepo): Map<string, SpecCheckpoint> {
  const paths = repo.git('ls-tree', '-r', '--name-only', BRANCH).split('\n').filter(Boolean);
  const ids = paths.flatMap(
    (path) => /^([0-9a-f]{2})\/([0-9a-f]{10})\/metadata\.json$/.exec(path)?.slice(1).join('') ?? [],
  );
  return new Map(ids.map((id) => [id, readBySpec(repo, id, paths)]));
}

function readBySpec(repo: TestRepo, id: string, paths: readonly string[]): SpecCheckpoint {
  const show = (path: string): string => repo.run('git', ['show', `${BRANCH}:${path}`]).stdout;
  const root = JSON.parse(show(`${id.slice(0, 2)}/${id.slice(2)}/metadata.json`)) as Record<string, unknown>;
  const sessions = (root.sessions as Array<Record<string, string>>).map((recorded) => {
    const relative = (path: string | undefined): string => (path ?? '').replace(/^\//, '');
    const base = relative(recorded.transcript);
    const parts = paths
      .filter((path) => path.startsWith(`${base}.`) && /\.\d{3}$/.test(path))
      .sort((a, b) => Number(a.slice(-3)) - Number(b.slice(-3)));
    const chunks = paths.includes(base) ? [base, ...parts] : parts;
    return {
      metadata: JSON.parse(show(relative(recorded.metadata))) as Record<string, unknown>,
      prompts: recorded.prompt ? show(relative(recorded.prompt)).split('\n\n---\n\n') : [],
      transcript: chunks.map(show).join('\n'),
    };
  });
  return { id, root, sessions };
}
