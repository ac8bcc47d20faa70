import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepo } from '../repository/test-repo.ts';

/** Answers each message of its stdin with the same in capitals, and says which session it was asked to go on with. */
export const ANSWERS = `
const { createInterface } = require('node:readline');
const out = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
const at = process.argv.indexOf('--resume');
const session_id = at === -1 ? 'own-' + process.pid : process.argv[at + 1];
createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, message } = JSON.parse(line);
  if (type !== 'user') return;
  out({ type: 'system', subtype: 'init', session_id });
  out({ type: 'user', isReplay: true, message });
  const content = [{ type: 'text', text: message.content.toUpperCase() }];
  out({ type: 'assistant', message: { id: 'm', content } });
  out({ type: 'result', session_id, usage: {} });
});`;

/** Puts a program of that name in front of all others. */
export function standIn(repo: TestRepo, code: string, program = 'claude'): void {
  const bin = join(repo.scratch, 'stand-ins');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, program), `#!${process.execPath}\n${code}`, { mode: 0o755 });
  repo.variables = { ...repo.variables, PATH: `${bin}:${repo.build.bin}:${process.env.PATH}` };
}

export interface Kept {
  readonly session_id: string;
  readonly parent_id: string | null;
  readonly messages: readonly { readonly content: unknown; readonly stopped?: string }[];
  readonly metadata: Record<string, unknown>;
}

export const folderOf = (repo: TestRepo): string => join(repo.home, '.entire', 'sessions');
export const keptOf = (repo: TestRepo): Kept[] =>
  readdirSync(folderOf(repo))
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folderOf(repo), name), 'utf8')));
export const wordsOf = ({ messages }: Kept): unknown[] => messages.map(({ content }) => content);
