import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { TestRepo } from '../repository/test-repo.ts';
import type { HookResult } from './session.ts';

/** The executable that the documentation shows, as it stands there. */
export function examplePlugin(): string {
  const page = readFileSync(
    fileURLToPath(new URL('../../../docs/agents/external.md', import.meta.url)),
    'utf8',
  );
  const [, code] = /```js\n(#![\s\S]*?)```/.exec(page) ?? [];
  if (code === undefined) throw new Error('the page has no example');
  return code;
}

/** A folder of programs on PATH, outside of the repository. */
export const programsOf = (repo: TestRepo): string => join(repo.scratch, 'programs');

/** Puts an executable there. */
export function addPlugin(repo: TestRepo, name: string, text = examplePlugin(), mode = 0o755): string {
  const folder = programsOf(repo);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `entire-agent-${name}`);
  writeFileSync(file, text);
  chmodSync(file, mode);
  usePath(repo, folder);
  return file;
}

/** Puts folders on PATH, in front of those of the machine. */
export function usePath(repo: TestRepo, ...folders: string[]): void {
  const path = [repo.build.bin, ...folders, process.env.PATH ?? ''].join(':');
  repo.variables = { ...repo.variables, PATH: path };
}

/** The user of this machine says yes. */
export const allowExternal = (repo: TestRepo): TestRepo =>
  repo.write('.entire/settings.local.json', '{"external_agents": true}\n');

/** A session of the example's agent: it runs the hooks, and writes its own log. */
export class DemoSession {
  readonly repo: TestRepo;
  readonly id: string;
  readonly log: string;

  constructor(repo: TestRepo, id = 'demo-1') {
    this.repo = repo;
    this.id = id;
    mkdirSync(join(repo.home, '.demo'), { recursive: true });
    this.log = join(repo.home, '.demo', `${id}.jsonl`);
  }

  hook(verb: string, more: object = {}): HookResult {
    const input = JSON.stringify({ id: this.id, log: this.log, ...more });
    const result = this.repo.run('entire', ['hooks', 'demo', verb], { input });
    expect([result.code, result.stdout], `${verb}: ${result.stderr}`).toEqual([0, '']);
    return result;
  }

  say(line: object): void {
    appendFileSync(this.log, `${JSON.stringify(line)}\n`);
  }

  prompt(prompt: string): void {
    this.hook('prompt', { prompt });
    this.say({ role: 'user', content: prompt });
  }

  /** A file that its tool writes, with a hook. */
  edit(path: string, text: string): void {
    this.write(path, text);
    this.hook('post-file-edit', { files: [path] });
  }

  /** A file that its tool writes, and of which only the transcript tells. */
  write(path: string, text: string): void {
    this.repo.write(path, text);
    this.say({
      role: 'assistant',
      content: [{ type: 'tool_use', name: 'write', input: { path } }],
      wrote: [path],
    });
  }

  stop(words: string): void {
    this.say({ role: 'assistant', content: words });
    this.hook('stop');
  }
}
