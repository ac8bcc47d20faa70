import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepo } from '../support/test-repo.ts';
import { parseLines, type SessionName } from './lines.ts';

/** What the tool shows about a commit: the trailer, and who is in the checkpoint it names. */
export interface Link {
  readonly id: string | undefined;
  readonly sessions: ReadonlySet<SessionName>;
}

export interface Verdict {
  readonly commit: string;
  readonly reason: string;
  readonly checkpoint?: string;
  readonly sessions: readonly string[];
}

/** Reads only what users see: commits, the metadata branch, verdicts. */
export class Observer {
  private readonly repo: TestRepo;
  private readonly names: ReadonlyMap<string, SessionName>;

  constructor(repo: TestRepo, names: ReadonlyMap<string, SessionName>) {
    this.repo = repo;
    this.names = names;
  }

  link(commit = 'HEAD'): Link {
    const id = this.repo.checkpointOf(commit);
    return { id, sessions: id === undefined ? new Set() : this.sessionsOf(id) };
  }

  /** Sessions with a slot in a checkpoint; none when there is no such checkpoint. */
  sessionsOf(id: string): Set<SessionName> {
    const dir = `${id.slice(0, 2)}/${id.slice(2)}`;
    const branch = 'entire/checkpoints/v1';
    const listed = this.repo.tryGit('ls-tree', '-r', '--name-only', branch, `${dir}/`).stdout;
    const slots = parseLines(listed).filter((path) => /^..\/[0-9a-f]{10}\/\d+\/metadata\.json$/.test(path));
    const ids = slots.map(
      (path) => JSON.parse(this.repo.git('show', `${branch}:${path}`)).session_id as string,
    );
    return new Set(ids.map((session) => this.names.get(session) as SessionName));
  }

  metadataTip(): string {
    return this.repo
      .tryGit('rev-parse', '--verify', '--quiet', 'refs/heads/entire/checkpoints/v1')
      .stdout.trim();
  }

  verdicts(): Verdict[] {
    try {
      const text = readFileSync(join(this.repo.dir, '.git', 'entire', 'verdicts.jsonl'), 'utf8');
      return parseLines(text).map((line) => JSON.parse(line) as Verdict);
    } catch {
      return []; // none yet
    }
  }

  named(verdict: Verdict): Set<SessionName> {
    return new Set(verdict.sessions.map((id) => this.names.get(id) as SessionName));
  }
}
