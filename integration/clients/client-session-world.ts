import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentName } from '../../src/agents/names.ts';
import {
  CliAgent,
  FileStorage,
  Session,
  type SessionOptions,
  type TurnEvent,
} from '../../src/library/conversations.ts';
import type { ClientDriver } from './driver.ts';
import type { MockModel } from './model/server.ts';
import { World } from './world.ts';

/** How a client is driven through the library. */
export interface SessionClient {
  readonly driver: ClientDriver;
  readonly agent: AgentName;
  /** Its program, as people have it on PATH. */
  readonly program: string;
  /** Where the command of its driver begins to be the client itself: scripts of ours may stand before it. */
  readonly from?: number;
  /** What it may do without asking, and its model. */
  readonly words: readonly string[];
}

/** A world in which clients are on PATH under their own names. */
export class ClientSessionWorld extends World {
  readonly storage = new FileStorage({ directory: join(this.base, 'sessions') });
  readonly heard: TurnEvent[] = [];

  /** Puts a client on PATH and writes its files. Returns the variables that it needs. */
  provide({ driver, program, from = 0 }: SessionClient, { url }: MockModel): NodeJS.ProcessEnv {
    const installed = driver.install();
    if ('reason' in installed) throw new Error(installed.reason);
    const place = { repo: this.repo, home: this.home, temp: join(this.base, 'tmp'), url };
    for (const [path, text] of Object.entries(driver.files(place))) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const wrapper = join(this.base, 'bin', program);
    const command = installed.command.slice(from).map((word) => `'${word}'`);
    writeFileSync(wrapper, `#!/bin/sh\necho $$ > '${this.pidFile}'\nexec ${command.join(' ')} "$@"\n`);
    chmodSync(wrapper, 0o755);
    return { ...this.env, ...driver.env(place) };
  }

  /** The process of the client that was started last, which leads its group. */
  readPid(): number {
    return Number(readFileSync(this.pidFile, 'utf8'));
  }

  /** What a session of this client is begun, or gone on, with. */
  optionsOf(variables: NodeJS.ProcessEnv): SessionOptions {
    return {
      storage: this.storage,
      env: { cwd: this.repo, variables },
      onEvent: (event) => void this.heard.push(event),
    };
  }

  begin(client: SessionClient, variables: NodeJS.ProcessEnv, more: SessionOptions = {}): Session {
    return new Session(new CliAgent(client.agent, { words: client.words }), {
      ...this.optionsOf(variables),
      ...more,
    });
  }

  /** Waits for an event of a running turn. */
  async hear(type: TurnEvent['type']): Promise<void> {
    while (!this.heard.some((event) => event.type === type)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  private get pidFile(): string {
    return join(this.base, 'agent.pid');
  }
}
