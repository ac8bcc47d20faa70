import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { structuredPatch } from 'diff';
import type { AgentSession } from '../../support/agent/session.ts';
import type { TestRepo } from '../../support/repository/test-repo.ts';
import type { Dice } from '../../support/runner/dice.ts';
import { type Agent, type Author, linesOf, parse, render, Truth, type Unit } from './text.ts';

const NAMES = ['a.ts', 'b.ts', 'c.ts', 'lib/d.ts', 'lib/e.ts'];

/** What was found in the files of stories, against the truth. */
export interface Tally {
  lines: number;
  unknown: number;
  /** Lines like no other that were called somebody's who did not write them. */
  uniqueWrong: number;
  common: number;
  commonWrong: number;
}

/** One repository in which sessions and a person write lines, and history is rewritten. */
export class Story {
  readonly truth = new Truth();
  readonly story: string[] = [];
  readonly counts = new Map<string, number>();
  readonly sessions: Record<Agent, AgentSession>;
  readonly repo: TestRepo;
  /** Lines that were called somebody's who did not write them. */
  readonly wrong: string[] = [];
  /** By file, which sessions ever changed it, under this name or one that it had. */
  readonly changedBy = new Map<string, Set<Agent>>();
  /**
   * Lines of conflicts. Whoever resolves one may bring a line of another commit, where it is one of several that a person may have written alike: git said
   * where it is from when the commit was made, and a note, which `entire fetch` brings, is all that is left of that.
   */
  readonly inConflict = new Set<string>();
  /** How many ways to rewrite were taken. */
  taken = 0;
  private readonly inTurn = new Set<Agent>();
  private numbers = 0;

  constructor(repo: TestRepo) {
    this.repo = repo.ready();
    this.sessions = { A: repo.session(), B: repo.session() };
  }

  tell(line: string): void {
    this.story.push(line);
  }

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  number(): number {
    return ++this.numbers;
  }

  /** Files of the stories that are there. */
  files(): string[] {
    const { dir } = this.repo;
    const inLib = existsSync(join(dir, 'lib'))
      ? readdirSync(join(dir, 'lib')).map((name) => `lib/${name}`)
      : [];
    return [...readdirSync(dir), ...inLib].filter((name) => name.endsWith('.ts')).sort();
  }

  anyFile(dice: Dice): string | undefined {
    const files = this.files();
    return files.length > 0 ? dice.oneOf(files) : undefined;
  }

  anyName(dice: Dice): string {
    return dice.oneOf(NAMES);
  }

  freeName(dice: Dice): string {
    const free = NAMES.filter((name) => !this.repo.exists(name));
    return free.length > 0 ? dice.oneOf(free) : `lib/n${this.number()}.ts`;
  }

  units(path: string): Unit[] {
    return this.repo.exists(path) ? parse(this.repo.read(path)) : [];
  }

  begin(agent: Agent): AgentSession {
    const session = this.sessions[agent];
    if (!this.inTurn.has(agent)) session.prompt(`do number ${this.number()}`);
    this.inTurn.add(agent);
    return session;
  }

  end(agent: Agent): void {
    if (!this.inTurn.delete(agent)) return;
    this.sessions[agent].stop();
  }

  endAll(): void {
    for (const agent of [...this.inTurn]) this.end(agent);
  }

  changes(agents: Iterable<Agent>, ...paths: readonly string[]): void {
    for (const path of paths)
      this.changedBy.set(path, new Set([...(this.changedBy.get(path) ?? []), ...agents]));
  }

  /** An Edit or Write, as the client reports it: with the file it found, and the difference. */
  edit(agent: Agent, path: string, after: string): void {
    const session = this.begin(agent);
    this.changes([agent], path);
    const file_path = join(this.repo.dir, path);
    const before = this.repo.exists(path) ? this.repo.read(path) : undefined;
    const structured = before === undefined ? [] : hunksBetween(path, before, after);
    const answer = { filePath: file_path, originalFile: before ?? null, structuredPatch: structured };
    const input =
      before === undefined
        ? { file_path, content: after }
        : { file_path, old_string: before, new_string: after };
    session.tool(before === undefined ? 'Write' : 'Edit', input, {
      act: () => this.repo.write(path, after),
      answer: { ...answer, type: before === undefined ? 'create' : 'update' },
    });
    session.hook('post-file-edit', before === undefined ? 'PostToolUse-Write-create' : 'PostToolUse-Edit', {
      tool_input: input,
      tool_response: answer,
    });
  }

  /** A shell command of a client that reports what commands changed. */
  shell(agent: Agent, command: string, act: () => void): void {
    const session = this.begin(agent);
    const texts = () => new Map(this.files().map((path) => [path, this.repo.read(path)]));
    const before = texts();
    const call = { answer: {} as Record<string, unknown> };
    const run = (): void => {
      act();
      const after = texts();
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
        (path) => before.get(path) !== after.get(path),
      );
      this.changes([agent], ...changed);
      const files = changed.map((path) => ({
        filePath: join(this.repo.dir, path),
        hunks: hunksBetween(path, before.get(path) ?? '', after.get(path) ?? ''),
        ...(before.has(path) ? {} : { created: true }),
      }));
      const changedFiles = files.map(({ filePath }) => filePath);
      Object.assign(
        call.answer,
        changed.length > 0 && { bashEditDiff: { files, moreFiles: 0, changedFiles } },
      );
    };
    session.tool('Bash', { command }, { act: run, answer: call.answer });
    session.hook(
      'post-file-edit',
      call.answer.bashEditDiff ? 'PostToolUse-Bash-with-edit-diff' : 'PostToolUse-Bash',
      {
        tool_input: { command },
        tool_response: { stdout: '', stderr: '', interrupted: false, ...call.answer },
      },
    );
  }

  /** Somebody makes a file other than it was. */
  put(author: Author, path: string, units: readonly Unit[]): void {
    const text = render(units);
    this.tell(`${author}: ${path}: ${linesOf(text).join(' | ')}`);
    if (author === 'user') this.repo.write(path, text);
    else this.edit(author, path, text);
  }

  git(...args: string[]): boolean {
    const { code } = this.repo.run('git', args, { env: { GIT_EDITOR: 'true', GIT_SEQUENCE_EDITOR: 'true' } });
    this.tell(`git ${args.join(' ')}${code === 0 ? '' : '   (fails)'}`);
    return code === 0;
  }

  isDirty(): boolean {
    return this.repo.git('status', '--porcelain', '--', '*.ts') !== '';
  }

  /** All that is there, by a person. */
  commitAll(message = `Commit ${this.number()}`): void {
    this.repo.git('add', '--all', '--', '.');
    if (this.isDirty()) this.git('commit', '--quiet', '-m', message);
  }

  /** What is wrong is counted over all stories, and named at once. */
  expectSound(): void {
    for (const line of this.wrong.splice(0)) console.log(line);
  }
}

const hunksBetween = (path: string, before: string, after: string) =>
  structuredPatch(path, path, before, after, '', '', { context: 3 }).hunks;
