import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepo } from '../repository/test-repo.ts';

/** Where git is that a script of ours stands before. */
export const realGit = (repo: TestRepo): string => repo.run('sh', ['-c', 'command -v git']).stdout.trim();

/** An environment in which the lines of a shell script run where somebody calls the program `name`. */
export function withProgram(repo: TestRepo, name: string, ...lines: string[]): { PATH: string } {
  const dir = join(repo.scratch, `before-${name}`);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, name), `${['#!/bin/sh', ...lines].join('\n')}\n`, { mode: 0o755 });
  return { PATH: `${dir}:${repo.env.PATH}` };
}
