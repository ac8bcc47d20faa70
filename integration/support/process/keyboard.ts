import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestRepo } from '../repository/test-repo.ts';

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Less than a test has: what is on the screen is said. */
const MAX_WAIT_MS = 40_000;

/** A program in a terminal of its own, and somebody who looks at the screen before each key. */
export class Keyboard {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly tty: string;
  private readonly ended: Promise<number | null>;
  private sent = '';
  /** How much of it was there when something was typed last. */
  private typedAt = 0;

  /** @param script for a shell; colours are off where `env` does not say otherwise */
  constructor(repo: TestRepo, script: string, { columns, rows }: Size, env: Record<string, string> = {}) {
    this.tty = join(repo.scratch, 'tty');
    const command = `tty > "$TTY_FILE"; stty cols ${columns} rows ${rows}; ${script}`;
    this.child = spawn('sh', ['-c', 'exec script --quiet --return --command "$COMMAND" /dev/null'], {
      cwd: repo.dir,
      env: { ...repo.env, TERM: 'xterm', NO_COLOR: '1', ...env, TTY_FILE: this.tty, COMMAND: command },
    });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.sent += text;
    });
    this.child.stdin.on('error', () => {}); // the program is over
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
  }

  /** All that was sent to the terminal. */
  get all(): string {
    return this.sent.replaceAll('\r\n', '\n');
  }

  /** What was sent since something was typed last, without control characters. */
  get news(): string {
    return stripVTControlCharacters(this.sent.slice(this.typedAt)).replaceAll('\r', '');
  }

  /** The lines of the picture that was drawn last. */
  get picture(): string[] {
    const [drawn = ''] = this.all.split('\x1b[J').slice(-2);
    const from = drawn.search(/\x1b\[K/);
    return from === -1 ? [] : stripVTControlCharacters(drawn.slice(from)).split('\n');
  }

  /** Waits until the picture has a text. */
  sees(text: string): Promise<void> {
    return this.until(text, () => this.picture.join('\n').includes(text));
  }

  /** Waits until a text was sent that was not there before something was typed. */
  hears(text: string): Promise<void> {
    return this.until(text, () => this.news.includes(text));
  }

  type(keys: string): void {
    this.typedAt = this.sent.length;
    this.child.stdin.write(keys);
  }

  resize({ columns, rows }: Size): void {
    this.typedAt = this.sent.length;
    const tty = readFileSync(this.tty, 'utf8').trim();
    execFileSync('stty', ['-F', tty, 'cols', String(columns), 'rows', String(rows)]);
  }

  /** Waits until the program is over. @returns its exit code */
  async end(): Promise<number | null> {
    const late = setTimeout(() => this.child.kill(), MAX_WAIT_MS);
    const code = await this.ended;
    clearTimeout(late);
    return code;
  }

  private async until(text: string, isThere: () => boolean): Promise<void> {
    const start = Date.now();
    while (!isThere()) {
      if (Date.now() - start > MAX_WAIT_MS) {
        this.child.kill();
        throw new Error(`no ${JSON.stringify(text)} on the screen:\n${this.all}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
