import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test as base } from 'vitest';
import { EXTENSION } from '../../../src/agents/pi/extension.ts';

/** Events as Pi would raise them, each of its own kind with what it tells; handlers are awaited unless `isAwaited` is false. */
export interface Event extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly isAwaited?: boolean;
}

/** Loads the extension, raises the events, and prints what escaped from it. */
const PLAYER = `
import entire from './index.mjs';
import { readFileSync } from 'node:fs';
const handlers = new Map();
const escaped = [];
const sent = [];
process.on('uncaughtException', (error) => escaped.push(String(error)));
entire({ on: (event, handler) => handlers.set(event, handler) });
const sessionManager = { getSessionId: () => 's1', getSessionFile: () => '/sessions/s1.jsonl' };
const ctx = { cwd: process.cwd(), sessionManager };
for (const { isAwaited, ...event } of JSON.parse(readFileSync(0, 'utf8'))) {
  const handled = handlers.get(event.type)?.(event, ctx)?.then(
    (value) => {
      if (event.type === 'context') sent.push(value?.messages ?? event.messages);
      else if (value !== undefined) escaped.push('a value');
    },
    (error) => escaped.push(String(error)),
  );
  if (isAwaited !== false) await handled;
}
console.log(JSON.stringify({ events: [...handlers.keys()], escaped, sent }));
`;

/** What escaped of an extension, and the messages of each request as it left them. */
interface Played {
  readonly events: string[];
  readonly escaped: string[];
  readonly sent: ReadonlyArray<ReadonlyArray<Record<string, unknown>>>;
}

class Stage {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-pi-')));
  private readonly log = join(this.dir, 'log');

  constructor() {
    for (const dir of ['bin', 'repo']) mkdirSync(join(this.dir, dir));
    writeFileSync(join(this.dir, 'index.mjs'), EXTENSION);
    writeFileSync(join(this.dir, 'player.mjs'), PLAYER);
  }

  /** Puts a program on PATH that is called as `entire` is. */
  program(...lines: readonly string[]): void {
    writeFileSync(join(this.dir, 'bin/entire'), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  }

  /** A program that writes down how it is called, and with what. */
  recorder(...more: readonly string[]): void {
    this.program(`printf '%s %s\\n' "$*" "$(cat)" >> '${this.log}'`, ...more);
  }

  play(events: readonly Event[], env: NodeJS.ProcessEnv = {}): Played {
    const out = execFileSync(process.execPath, [join(this.dir, 'player.mjs')], {
      cwd: join(this.dir, 'repo'),
      env: { PATH: [join(this.dir, 'bin'), '/usr/bin', '/bin'].join(delimiter), HOME: this.dir, ...env },
      input: JSON.stringify(events),
      timeout: 30_000,
    });
    return JSON.parse(out.toString()) as Played;
  }

  /** Verb and payload of every call. */
  calls(): Array<[string, Record<string, unknown>]> {
    if (!existsSync(this.log)) return [];
    const lines = readFileSync(this.log, 'utf8').trim().split('\n');
    return lines.map((line) => {
      const [, verb = '', payload = ''] = /^hooks pi (\S+) (.*)$/.exec(line) ?? [];
      return [verb, JSON.parse(payload) as Record<string, unknown>];
    });
  }
}

/** A test on a stage of its own. */
export const test = base.extend<{ stage: Stage }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern to learn what a fixture depends on
  stage: async ({}, use) => {
    const stage = new Stage();
    await use(stage);
    rmSync(stage.dir, { recursive: true, force: true });
  },
});

/** A tool that is called, or has returned. */
export const call = (
  type: string,
  toolCallId: string,
  toolName: string,
  input: object,
  more: object = {},
): Event => ({
  ...{ type, toolCallId, toolName, input },
  ...more,
});
