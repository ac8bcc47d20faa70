import type { AgentSettings } from './shared/hook-settings.ts';

/** How one coding agent is set up to run our hooks, and what keeps it from it: for commands alone. */
export interface AgentSetup {
  /** How its settings file is written. */
  readonly settings: AgentSettings;
  readonly traces: Traces;
  /** The settings file by which the agent runs no hooks of a project; `undefined` where it runs them. Left out where none can. */
  findHookSwitch?(root: string, env: NodeJS.ProcessEnv): string | undefined;
  /** What it waits for before it runs hooks of a project. Left out by clients that ask nobody. May throw. */
  findWaiting?(root: string, env: NodeJS.ProcessEnv): Waiting | undefined;
}

/** By what an agent shows. */
export interface Traces {
  /** Files and folders in the root of a worktree that only this agent reads. */
  readonly here: readonly string[];
  /** A program that is there where the agent is, if not the one that starts its sessions. */
  readonly program?: string;
}

/** What the user still has to do in the client itself before it runs our hooks. The client says nothing of it. */
export interface Waiting {
  /** The file that tells, absolute. */
  readonly file: string;
  /** One or two sentences. */
  readonly need: string;
}
