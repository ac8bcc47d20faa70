import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { FUTURE, line, PAST, replacedLogs } from '../command/resume.ts';
import { checkpointFiles, store } from '../repository/stored-checkpoints.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import { gitView } from '../undo/view.ts';
import { type Command, entireIn, expectFsck, expectTidy, type Found, type Victim } from './victim.ts';

const ID = 'a1b2c3d4e5f6';
const SESSIONS = 40;
const LINES = 200;

interface Log {
  readonly session: string;
  readonly file: string;
  /** As it lies here before; `undefined`: it does not. */
  readonly local: string | undefined;
  readonly stored: string;
}

/** `entire resume` of a checkpoint with many sessions, of which some lie here already, older or newer. */
export class Resume implements Victim {
  readonly name = 'resume';
  private readonly repo: TestRepo;
  private readonly logs: readonly Log[];
  private readonly folder: string;
  private readonly git: Record<string, string>;
  private readonly work: string;

  constructor(repo: TestRepo) {
    this.repo = repo;
    repo.ready();
    repo.write('mine.txt', 'not committed\n');
    this.folder = join(repo.home, '.claude', 'projects', repo.dir.replace(/[^a-zA-Z0-9]/g, '-'));
    this.logs = Array.from({ length: SESSIONS }, (_, at) => this.describe(at));
    const slots = this.logs.map(({ session, stored }) => ({ session, transcript: stored, prompts: ['Hi'] }));
    store(repo, { [ID]: checkpointFiles(ID, ...slots) });
    this.git = gitView(repo);
    this.work = repo.git('status', '--porcelain');
  }

  prepare(): Command {
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(join(this.repo.commonDir, 'entire', 'replaced-logs'), { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
    for (const { file, local } of this.logs) if (local !== undefined) writeFileSync(file, local);
    return this.command;
  }

  look(): Found {
    const written = this.logs.filter(({ session, file, local, stored }) => {
      const now = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
      expect([local, stored], session).toContain(now);
      if (now !== local && local !== undefined)
        expect(replacedLogs(this.repo, session), session).toContain(local);
      return now === stored;
    });
    this.expectUntouched();
    expectFsck(this.repo);
    if (written.length === 0) return 'not begun';
    return written.length < this.logs.length ? 'halfway' : 'over';
  }

  ends(): Command[] {
    // What a killed process was writing is known to be nobody's after a minute.
    for (const name of readdirSync(this.folder).filter((file) => file.endsWith('.tmp')))
      utimesSync(join(this.folder, name), 1, 1);
    return [this.command];
  }

  settle(isClean: boolean): void {
    this.ends();
    const { repo } = this;
    if (!isClean) repo.entire(...this.command.args);
    for (const { session, file, local, stored } of this.logs) {
      expect(readFileSync(file, 'utf8') === stored, session).toBe(true);
      if (local !== undefined) expect(replacedLogs(repo, session), session).toContain(local);
    }
    const names = this.logs.map(({ session }) => `${session}.jsonl`);
    expect(readdirSync(this.folder).filter((name) => !names.includes(name))).toEqual([]);
    expectTidy(repo);
    this.expectUntouched();
  }

  remove(): void {
    this.repo.remove();
  }

  private get command(): Command {
    return entireIn(this.repo, 'resume', ID, '--force');
  }

  private describe(at: number): Log {
    const session = `session-${at}`;
    const stored = Array.from({ length: LINES }, (_, n) => line(`${session}, ${n}`, PAST)).join('');
    const locals = [undefined, stored.slice(0, stored.indexOf('\n') + 1), line(`of ${at} here`, FUTURE)];
    return { session, file: join(this.folder, `${session}.jsonl`), local: locals[at % 3], stored };
  }

  private expectUntouched(): void {
    expect(gitView(this.repo)).toEqual(this.git);
    expect(this.repo.git('status', '--porcelain')).toBe(this.work);
  }
}
