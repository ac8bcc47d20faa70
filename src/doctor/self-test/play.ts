import { join } from 'node:path';
import { type AgentName, SESSION_VARIABLES } from '../../agents/names.ts';
import { agentOf } from '../../agents/registry.ts';
import { setupOf } from '../../agents/setups.ts';
import type { Act, Stage } from '../../agents/shared/headless/rehearsal.ts';
import { now, renderUtc } from '../../base/clock.ts';
import { disk } from '../../base/file/disk.ts';
import { newId, type SessionId } from '../../base/ids.ts';
import { type ProgramEnd, runProgram } from '../../base/process/program.ts';
import { withoutNpm } from '../examine/program.ts';
import type { Scratch } from './scratch.ts';

/** A hook that takes longer is one that the agent would not have waited for. */
const PATIENCE_MS = 60_000;

/** A session that is played in the scratch repository, with one agent's hooks. */
export interface Play {
  readonly agent: AgentName;
  readonly scratch: Scratch;
  readonly stage: Stage;
  readonly sessionId: SessionId;
  /** Name of the file that is edited. */
  readonly path: string;
}

export function openPlay(scratch: Scratch, agent: AgentName): Play {
  const sessionId = `self-test-${newId()}` as SessionId;
  const path = 'self-test.txt';
  const { worktreeRoot } = scratch.repo;
  const stage: Stage = {
    sessionId,
    root: worktreeRoot,
    transcript: join(scratch.dir, `${sessionId}.jsonl`),
    file: join(worktreeRoot, path),
    content: 'Written by the self-test.\n',
    prompt: 'Write a file, so that entire can show that it sees it.',
    lastWords: 'The file is written.',
    time: renderUtc(now()),
  };
  return { agent, scratch, stage, sessionId, path };
}

/** What came of the hooks of one act. */
export interface ActResult {
  /** The commands that were run; none where the agent has none of ours for the act. */
  readonly commands: readonly string[];
  readonly ends: readonly ProgramEnd[];
}

/**
 * Does what the agent does at one moment: its transcript grows, and our commands run through a shell exactly as they
 * stand in its settings. Commands of others are not run.
 */
export async function play({ agent, scratch, stage }: Play, act: Act): Promise<ActResult> {
  const rehearsal = await agentOf(agent).loadRehearsal();
  const { event, tool, payload, transcript } = rehearsal.cue(act, stage);
  if (act === 'edit') disk.writeFileSync(stage.file, stage.content);
  for (const line of transcript)
    disk.appendFileSync(stage.transcript, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  const commands = setupOf(agent)
    .settings.list({ root: stage.root })
    .filter((hook) => hook.event === event && matches(hook.matcher, tool))
    .map(({ command }) => command);
  const ends: ProgramEnd[] = [];
  for (const command of commands) {
    ends.push(
      await runProgram({
        program: '/bin/sh',
        forbidden: [],
        args: ['-c', command],
        input: JSON.stringify(payload),
        env: { ...outsideOfGit(withoutNpm(process.env)), ...rehearsal.environment(stage) },
        cwd: scratch.repo.worktreeRoot,
        timeoutMs: PATIENCE_MS,
      }),
    );
  }
  return { commands, ends };
}

/** A matcher is a name, or an expression over names; the empty one is for all. */
function matches(matcher: string, tool: string | undefined): boolean {
  if (matcher === '' || tool === undefined || matcher === tool) return true;
  try {
    return new RegExp(`^(?:${matcher})$`).test(tool);
  } catch {
    return false;
  }
}

const SESSIONS: ReadonlySet<string> = new Set([...SESSION_VARIABLES, 'GEMINI_SESSION_ID']);
/** By which agents name the folder they work in to their hooks. */
const PROJECT = /^(?:CLAUDE|COPILOT|CURSOR|DROID|FACTORY|GEMINI|QWEN|QWEN_CODE)_PROJECT_DIR$/;

/** The user's environment, without what would lead a hook to another repository or session than ours. */
export function outsideOfGit(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isElsewhere = (name: string): boolean =>
    /^GIT_(?:DIR|COMMON_DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX)$/.test(
      name,
    ) ||
    SESSIONS.has(name) ||
    PROJECT.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isElsewhere(name)));
}
