import { showPath } from '../../base/text/text.ts';
import { CLAUDE_LOCAL, type SetStatusLine, STATUS_LINE_COMMAND } from './claude-settings.ts';

/** What `entire enable --statusline` says of it. */
export function statusLineSet(outcome: SetStatusLine): string {
  switch (outcome.kind) {
    case 'set':
      return `✓ Claude Code's status line set (${CLAUDE_LOCAL})`;
    case 'set already':
      return "Claude Code's status line is Entire's already.";
    case 'taken':
      return `Claude Code's status line stays as it is: ${showPath(outcome.file)} sets one. Entire's is the command \`${STATUS_LINE_COMMAND}\`.`;
    case 'shared':
      return `Claude Code's status line is not set: git has ${CLAUDE_LOCAL}, and would share it. In your own settings it is the command \`${STATUS_LINE_COMMAND}\`.`;
  }
}

export const STATUS_LINE_REMOVED = `Claude Code's status line is taken out of ${CLAUDE_LOCAL}.`;
/** A line of the list that is confirmed, and what went. */
export const STATUS_LINE_PART = {
  plan: "Claude Code's status line",
  removed: "Claude Code's status line",
} as const;
