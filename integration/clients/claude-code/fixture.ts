import { expect } from 'vitest';
import { type ClaudeResult, claudeCode, readClaudeResult } from '../drivers/claude-code.ts';
import { extendWithWorld } from '../fixture.ts';
import type { Step } from '../model/scene.ts';
import type { MockModel } from '../model/server.ts';
import { type ClientRun, World } from '../world.ts';

/** One hook of the client, as its own event stream reports it: what the hook printed and how it ended. */
interface HookRun {
  readonly event: string;
  /** Event and tool, e.g. `PostToolUse:Write`. */
  readonly name: string;
  readonly stdout: string;
  readonly exitCode: number;
}

/** One run of the client. `hooks` and `started` grow while it runs. */
interface ClaudeRun extends Pick<ClientRun, 'kill'> {
  /** Names of the hooks that the client has started, one for each command. */
  readonly started: readonly string[];
  readonly hooks: readonly HookRun[];
  readonly done: Promise<ClaudeResult>;
}

interface StreamLine {
  readonly subtype?: string;
  readonly hook_name: string;
  readonly hook_event: string;
  readonly stdout: string;
  readonly exit_code: number;
}

/** A world whose client shows every hook. */
export class ClaudeWorld extends World {
  /** Every client that was started here. */
  readonly runs: ClaudeRun[] = [];

  claude(model: MockModel, prompt: string, ...more: readonly string[]): ClaudeRun {
    const { lines, done, kill } = this.start(claudeCode, model, { prompt, more });
    const hookLines = (subtype: string) =>
      lines.map((line) => JSON.parse(line) as StreamLine).filter((line) => line.subtype === subtype);
    const run: ClaudeRun = {
      kill,
      done: done.then(() => readClaudeResult({ lines }) as ClaudeResult),
      get started() {
        return hookLines('hook_started').map((line) => line.hook_name);
      },
      get hooks() {
        return hookLines('hook_response').map(({ hook_event, hook_name, stdout, exit_code }) => ({
          event: hook_event,
          name: hook_name,
          stdout,
          exitCode: exit_code,
        }));
      },
    };
    this.runs.push(run);
    return run;
  }
}

/** A world where `entire enable` has run. Afterwards every hook that the client shows was quiet. */
export const test = extendWithWorld(
  [claudeCode],
  (files) => new ClaudeWorld(files),
  ({ runs }) => {
    for (const { hooks } of runs) expectQuietHooks(hooks);
  },
);

export const write = (world: World, name: string, content: string): Step => {
  const [call] = claudeCode.calls.create(world, name, content);
  return call as Step;
};

export const edit = claudeCode.calls.edit;

export const bash = (command: string): Step => claudeCode.calls.shell(command)[0] as Step;

export const delegate = (prompt: string, place: 'foreground' | 'background'): Step => ({
  call: 'Agent',
  input: {
    description: 'Help',
    prompt,
    subagent_type: 'general-purpose',
    run_in_background: place === 'background',
  },
});

/** Asserts that every hook succeeded, and that stdout held nothing but the replies that the client documents. */
function expectQuietHooks(hooks: readonly HookRun[]): void {
  expect(hooks).not.toEqual([]);
  for (const { name, event, stdout, exitCode } of hooks) {
    expect({ name, exitCode }).toEqual({ name, exitCode: 0 });
    if (stdout === '') continue;
    const { systemMessage, hookSpecificOutput, ...rest } = JSON.parse(stdout) as Record<string, unknown>;
    expect({ name, rest }).toEqual({ name, rest: {} });
    if (systemMessage !== undefined) expect(systemMessage).toEqual(expect.any(String));
    if (hookSpecificOutput === undefined) continue;
    expect(hookSpecificOutput).toEqual({ hookEventName: event, additionalContext: expect.any(String) });
  }
}

interface TranscriptLine {
  readonly type: string;
  readonly message?: { readonly content?: unknown };
}

/** The texts and tool calls of the assistant in a stored transcript: `text` or `Tool`, in order. */
export function readAssistantWords(transcript: string): readonly string[] {
  const blocks = transcript
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TranscriptLine)
    .filter((line) => line.type === 'assistant')
    .flatMap((line) => line.message?.content as readonly { type: string; text?: string; name?: string }[]);
  return blocks.flatMap((block) => block.text ?? block.name ?? []);
}
