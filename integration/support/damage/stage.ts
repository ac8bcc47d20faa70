import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepo } from '../repository/test-repo.ts';
import type { Wares } from './damages.ts';

export const SESSION = '6b1f0000-0000-4000-8000-000000000001';

/** A repository in the middle of things, with everything that we keep, which is put back as it was between two trials. */
export class Stage {
  readonly repo: TestRepo;
  readonly transcript: string;
  readonly wares: Wares;
  readonly exported: string;
  checkpoint = '';
  private readonly kept: string;

  constructor(repo: TestRepo) {
    this.repo = repo;
    this.kept = join(repo.scratch, 'kept');
    this.transcript = join(repo.home, '.claude', 'projects', '-repo', `${SESSION}.jsonl`);
    this.exported = join(repo.home, 'session.json');
    this.wares = { pipe: join(repo.scratch, 'pipe'), outside: join(repo.scratch, 'outside.json') };
  }

  get root(): string {
    return this.repo.dir;
  }

  get home(): string {
    return this.repo.home;
  }

  /** A linked worktree, which follows the settings of the main one. */
  get side(): string {
    return join(this.home, 'side');
  }

  /**
   * A turn that is committed, a step, and a turn that goes on with a sub-agent; a remote, a worktree, presets, a session kept.
   *
   * @param word is said in every prompt and answer, and to the sub-agent
   */
  set(word = 'please'): this {
    const { repo } = this;
    writeFileSync(this.wares.outside, '{"enabled": true, "strategy_options": {"push_sessions": true}}\n');
    this.shell(`mkfifo '${this.wares.pipe}'`);
    repo.ready();
    mkdirSync(join(this.home, '.config', 'entire'), { recursive: true });
    writeFileSync(join(this.home, '.config', 'entire', 'settings.json'), '{}\n');
    repo.git('init', '--quiet', '--bare', join(this.home, 'remote.git'));
    repo.git('remote', 'add', 'origin', join(this.home, 'remote.git'));
    repo.entire('enable', '--push-sessions', '--agent', 'claude-code');
    repo.write('.entire/context.toml', 'version = 1\n\n[presets.core]\nfiles = ["*.txt"]\n');
    const session = repo.session(SESSION);
    session.start();
    session.prompt(`make a and b, ${word}`);
    session.edit('a.txt', 'one\n');
    session.edit('b.txt', 'two\n');
    session.stop(`Done: ${word}.`);
    this.checkpoint = repo.commit('Add a', 'a.txt') ?? '';
    session.prompt(`go on, ${word}`);
    session.readFile('b.txt');
    session.edit('b.txt', 'two\nthree\n');
    session.stop(`Done: ${word}.`);
    repo.git('push', '--quiet', '--set-upstream', 'origin', 'main');
    repo.git('worktree', 'add', '--quiet', this.side);
    repo.run('entire', ['session', 'list', '--all-clis', '--all', '--json']);
    repo.run('entire', ['session', 'stats', '--json']);
    session.prompt(`and c, ${word}`);
    session.edit('c.txt', 'see\n');
    const asked = { subagent_type: 'dev', description: `look into it, ${word}` };
    session.hook('pre-task', 'PreToolUse-Agent', { tool_use_id: 'toolu_01task', tool_input: asked });
    repo.git('add', 'c.txt');
    const { stdout } = repo.run('entire', ['session', 'export', SESSION]);
    writeFileSync(this.exported, stdout);
    repo.entire('session', 'import', this.exported);
    const hooks = join(repo.dir, '.git', 'hooks');
    rmSync(hooks, { recursive: true }); // git's examples
    mkdirSync(hooks);
    writeFileSync(join(hooks, 'post-commit.pre-entire'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    repo.entire('enable', '--force');
    this.shell(`mkdir '${this.kept}' && cp -a '${repo.dir}' '${this.home}' '${this.kept}'`);
    return this;
  }

  /** As it was when it was set. */
  putBack(): void {
    const { dir, scratch } = this.repo;
    this.shell(
      `rm -rf '${dir}' '${this.home}' && cp -a '${this.kept}/repo' '${this.kept}/home' '${scratch}'`,
    );
  }

  /** One process is faster than a call for each file. */
  private shell(line: string): void {
    execFileSync('sh', ['-c', line]);
  }

  /** What a file held then; nothing where it was not there. */
  textOf(file: string): string {
    try {
      return readFileSync(join(this.kept, file.slice(this.repo.scratch.length)), 'utf8');
    } catch {
      return '';
    }
  }
}
