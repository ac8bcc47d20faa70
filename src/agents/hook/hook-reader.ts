import type { AgentEvent, EventBase, FileEdit, FileRead, Rejected } from '../event.ts';

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
