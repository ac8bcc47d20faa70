import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { PLUGIN } from '../../../src/agents/opencode/plugin.ts';

/** The plugin runs in the client's process, and starts what its PATH names. */
export function stubEnvironment(env: Record<string, string>): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}

interface Told {
  readonly verb: string;
  // biome-ignore lint/suspicious/noExplicitAny: payloads as they are
  readonly payload: any;
}

/** A folder that is enabled, and an `entire` that keeps what it is told. */
export class Listener {
  readonly dir = mkdtempSync(join(tmpdir(), 'entire-plugin-'));
  readonly file = join(this.dir, 'entire.ts');

  constructor(script = '', env: Record<string, string> = {}) {
    for (const name of ['bin', 'told', '.git', '.entire/tmp'])
      mkdirSync(join(this.dir, name), { recursive: true });
    writeFileSync(this.file, PLUGIN);
    const entire = join(this.dir, 'bin/entire');
    const name = `${this.dir}/told/$(date +%s%N).$3`;
    writeFileSync(entire, `#!/bin/sh\nF=${name}\ncat > $F.part\nmv $F.part $F\n${script}\n`);
    chmodSync(entire, 0o755);
    stubEnvironment({ PATH: `${this.dir}/bin:${process.env.PATH}`, ...env });
  }

  told(): Told[] {
    return readdirSync(join(this.dir, 'told'))
      .filter((name) => !name.endsWith('.part'))
      .sort()
      .map((name) => ({
        verb: name.split('.')[1] ?? '',
        payload: JSON.parse(readFileSync(join(this.dir, 'told', name), 'utf8')),
      }));
  }

  verbs = (): string[] => this.told().map(({ verb }) => verb);

  async [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.dir, { recursive: true, maxRetries: 5 });
  }
}
