import type { AgentEvent, EventBase, FileEdit, FileRead, Rejected } from '../event.ts';
import type { AgentName } from '../names.ts';

/** How the payloads of one agent's hooks are read. Takes any JSON value; never throws. */
export interface HookReader {
  /** The payload of the hot verb, `post-file-edit`; `undefined` where no file that it names was changed. */
  parseFileEdit(payload: unknown): FileEdit | Rejected | undefined;
  /** The payload of `post-file-read`, which is hot as well; `undefined` where no file was read. Not every client has it. */
  parseFileRead?(payload: unknown): FileRead | Rejected | undefined;
  /** A payload of the hot verb where it says that a shell command is over, of clients that have no other word for it. */
  parseShellInEdit?(payload: unknown): EventBase | undefined;
  /** The payload of any verb; `undefined` where it stands for no event. */
  parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined;
}

/** Loads the reader of one agent, and no other: this runs at each edit. */
export const HOOK_READERS: Readonly<Record<AgentName, () => Promise<HookReader>>> = {
  'claude-code': async () => (await import('../claude-code/hook-input.ts')).claudeHooks,
  codex: async () => (await import('../codex/hook-input.ts')).codexHooks,
  gemini: async () => (await import('../gemini/hook-input.ts')).geminiHooks,
  opencode: async () => (await import('../opencode/hook-input.ts')).opencodeHooks,
  'copilot-cli': async () => (await import('../copilot-cli/hook-input.ts')).copilotHooks,
  'qwen-code': async () => (await import('../qwen-code/hook-input.ts')).qwenHooks,
  pi: async () => (await import('../pi/hook-input.ts')).piHooks,
  'factoryai-droid': async () => (await import('../factoryai-droid/hook-input.ts')).droidHooks,
  cursor: async () => (await import('../cursor/hook-input.ts')).cursorHooks,
};
