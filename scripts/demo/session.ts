import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type HookRun } from './client.ts';
import type { World } from './world.ts';

export type StepName =
  | 'enable'
  | 'start'
  | 'prompt'
  | 'write'
  | 'edit'
  | 'stop'
  | 'firstCommit'
  | 'secondCommit';

/** A command that a person typed, and what it printed. */
export interface Typed {
  readonly command: string;
  readonly output: string;
}

/** One thing that happened, and what was to be seen of it. */
export interface Step {
  readonly name: StepName;
  readonly title: string;
  readonly typed: readonly Typed[];
  readonly hooks: readonly HookRun[];
}

/** What the session is about, as the captured payloads have it. */
export interface Plot {
  readonly sessionId: string;
  readonly prompt: string;
  readonly answer: string;
  /** Both paths the agent edits, relative to the project, in the order of the edits. */
  readonly created: string;
  readonly changed: string;
}

/**
 * Plays one captured session, from `entire enable` to the second commit; yields after each step, so that one can
 * look at what it left behind.
 */
export function playSession(world: World): { readonly plot: Plot; readonly steps: Generator<Step, void> } {
  const client = new Client(world);
  const [write, edit, stop] = ['PostToolUse-Write-create', 'PostToolUse-Edit', 'Stop'].map((name) =>
    client.captured(name),
  ) as [Captured, Captured, Captured];
  const prompt = client.captured('UserPromptSubmit') as Captured;
  const plot: Plot = {
    sessionId: client.sessionId,
    prompt: prompt.prompt ?? '',
    answer: stop.last_assistant_message ?? '',
    created: relative(world, write),
    changed: relative(world, edit),
  };

  function* play(): Generator<Step, void> {
    world.git('init', '--quiet', '--initial-branch=main');
    world.git('config', 'user.name', 'Ada');
    world.git('config', 'user.email', 'ada@example.com');
    world.write(plot.changed, String(edit.tool_response?.originalFile));
    world.git('add', '.');
    world.git('commit', '--quiet', '-m', 'Begin');
    const enable = typeCommand(world, 'entire enable --agent claude-code');
    world.git('add', '.');
    world.git('commit', '--quiet', '-m', 'Enable Entire');
    yield {
      name: 'enable',
      title: 'the user enables Entire in a repository with one commit, and commits the settings',
      typed: [enable],
      hooks: [],
    };

    const agent = (name: StepName, title: string, hooks: readonly HookRun[]): Step => ({
      name,
      title,
      typed: [],
      hooks,
    });
    yield agent('start', 'Claude Code starts', client.fire(client.captured('SessionStart-startup')));
    client.growTo('"type":"user"', 'before');
    yield agent('prompt', `the user asks: “${plot.prompt}”`, client.fire(prompt));
    client.growTo(`"id":"${write.tool_use_id}"`);
    client.applyEdit(write);
    yield agent('write', `the agent writes ${plot.created}`, client.fire(write));
    client.growTo(`"id":"${edit.tool_use_id}"`);
    client.applyEdit(edit);
    yield agent('edit', `the agent edits ${plot.changed}`, client.fire(edit));
    client.growTo(`"text":"${plot.answer}"`);
    yield agent('stop', `the agent stops: “${plot.answer}”`, client.fire(stop));
    client.growToEnd();

    yield commit(world, 'firstCommit', plot.created, 'Add a greeting');
    yield commit(world, 'secondCommit', plot.changed, 'Describe it');
  }
  return { plot, steps: play() };
}

type Captured = Record<string, unknown> & {
  readonly prompt?: string;
  readonly last_assistant_message?: string;
  readonly tool_use_id?: string;
  readonly tool_input?: { readonly file_path: string };
  readonly tool_response?: { readonly originalFile: string | null };
};

const relative = (world: World, edit: Captured): string =>
  (edit.tool_input?.file_path ?? '').slice(world.project.length + 1);

/** What a person types at a prompt, and what is to be seen then. @throws when it fails */
export function typeCommand(world: World, command: string, env: NodeJS.ProcessEnv = {}): Typed {
  const { code, stdout } = world.run('sh', ['-c', `exec 2>&1; ${command}`], { env });
  if (code !== 0) throw new Error(`${command}: exit ${code}\n${stdout}`);
  return { command, output: stdout };
}

/** The user commits one file. How long each git hook took is what git itself measured. */
function commit(world: World, name: StepName, file: string, message: string): Step {
  const trace = join(world.dir, `${name}.trace`);
  const add = typeCommand(world, `git add ${file}`);
  const typed = typeCommand(world, `git commit -m "${message}"`, { GIT_TRACE2_EVENT: trace });
  return {
    name,
    title: `the user commits ${file} and nothing else`,
    typed: [add, typed],
    hooks: readHookRuns(readFileSync(trace, 'utf8')),
  };
}

/** Hooks that the outermost git of a trace started. @see https://git-scm.com/docs/api-trace2 */
function readHookRuns(trace: string): HookRun[] {
  const started = new Map<number, string>();
  const runs: HookRun[] = [];
  for (const line of trace.split('\n').filter(Boolean)) {
    const event = JSON.parse(line) as Record<string, unknown>;
    if (String(event.sid).includes('/')) continue; // a git that a hook started
    const id = Number(event.child_id);
    if (event.event === 'child_start' && event.child_class === 'hook')
      started.set(id, String(event.hook_name));
    const hook = started.get(id);
    if (event.event === 'child_exit' && hook) {
      const command = `entire hooks git ${hook}`;
      runs.push({ event: hook, command, ms: Number(event.t_rel) * 1000, reply: '' });
    }
  }
  return runs;
}
