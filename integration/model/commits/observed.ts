import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepo } from '../../support/repository/test-repo.ts';
import { parseLines, type SessionName } from './lines.ts';

/** What the tool shows about a commit: the trailer, and who is in the checkpoint it names. */
export interface Link {
  readonly id: string | undefined;
  readonly sessions: ReadonlySet<SessionName>;
  /** Files of each session, as its slot lists them. */
  readonly files: ReadonlyMap<SessionName, ReadonlySet<string>>;
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
    const files = id === undefined ? new Map<SessionName, Set<string>>() : this.filesOf(id);
    return { id, sessions: new Set(files.keys()), files };
  }

  /** Sessions with a slot in a checkpoint, and their files; none when there is no such checkpoint. */
  private filesOf(id: string): Map<SessionName, Set<string>> {
    const dir = `${id.slice(0, 2)}/${id.slice(2)}`;
    const branch = 'entire/checkpoints/v1';
    const listed = this.repo.tryGit('ls-tree', '-r', '--name-only', branch, `${dir}/`).stdout;
    const slots = parseLines(listed).filter((path) => /^..\/[0-9a-f]{10}\/\d+\/metadata\.json$/.test(path));
    const metadata = slots.map((path) => JSON.parse(this.repo.git('show', `${branch}:${path}`)));
    return new Map(
      metadata.map(({ session_id, files_touched }) => [
        this.names.get(session_id) as SessionName,
        new Set<string>(files_touched ?? []),
      ]),
    );
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
