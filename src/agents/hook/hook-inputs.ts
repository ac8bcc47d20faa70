import { claudeHooks } from '../claude-code/hook-input.ts';
import { codexHooks } from '../codex/hook-input.ts';
import { copilotHooks } from '../copilot-cli/hook-input.ts';
import { cursorHooks } from '../cursor/hook-input.ts';
import type { AgentEvent, EventBase, FileEdit, FileRead, Rejected } from '../event.ts';
import { droidHooks } from '../factoryai-droid/hook-input.ts';
import { geminiHooks } from '../gemini/hook-input.ts';
import type { AgentName } from '../names.ts';
import { opencodeHooks } from '../opencode/hook-input.ts';
import { piHooks } from '../pi/hook-input.ts';
import { qwenHooks } from '../qwen-code/hook-input.ts';

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

export const HOOK_READERS: Readonly<Record<AgentName, HookReader>> = {
  'claude-code': claudeHooks,
  codex: codexHooks,
  gemini: geminiHooks,
  opencode: opencodeHooks,
  'copilot-cli': copilotHooks,
  'qwen-code': qwenHooks,
  pi: piHooks,
  'factoryai-droid': droidHooks,
  cursor: cursorHooks,
};
