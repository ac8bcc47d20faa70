/** What a session does that is played without its agent, in order. */
export const ACTS = ['start', 'prompt', 'edit', 'stop', 'end'] as const;
export type Act = (typeof ACTS)[number];

/** Where a session is played. */
export interface Stage {
  readonly sessionId: string;
  /** Worktree root, physical. */
  readonly root: string;
  readonly transcript: string;
  /** The file that is edited, absolute, and what it then says. */
  readonly file: string;
  readonly content: string;
  readonly prompt: string;
  readonly lastWords: string;
  /** RFC 3339. */
  readonly time: string;
}

/** What an agent does at one moment of a session. */
export interface Cue {
  /** By which the agent finds the hooks to run. */
  readonly event: string;
  /** The tool that was used; `undefined` where none was. */
  readonly tool: string | undefined;
  /** What the hooks get on stdin. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Lines that the agent adds to its transcript before it runs them. */
  readonly transcript: readonly Readonly<Record<string, unknown>>[];
}

/** How one agent would play a session. */
export interface Rehearsal {
  cue(act: Act, stage: Stage): Cue;
  /** What the agent adds to the environment of its hooks. */
  environment(stage: Stage): NodeJS.ProcessEnv;
}
