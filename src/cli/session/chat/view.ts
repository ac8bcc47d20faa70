import type { TurnEvent } from '../../../agents/shared/headless/headless.ts';
import { toolDetail } from '../../../agents/shared/transcript/message-blocks.ts';
import { describeError, EntireError } from '../../../base/errors.ts';

import { filesOfCall } from '../../../conversation/called-files.ts';
import type { TurnReport } from '../../../conversation/session-options.ts';
import { paint, wantsColour } from '../../ui/colour.ts';
import { oneLine, plain, say, warn } from '../../ui/terminal.ts';
import { cutTo } from '../../ui/width.ts';
import * as text from '../text.ts';

/** What people or programs see of a conversation while it goes on. */
export interface ChatView {
  begin(agent: string): void;
  readonly event: (event: TurnEvent) => void;
  readonly turn: (end: TurnReport) => void;
  /** Something for the person, which is no part of the conversation. */
  note(sentence: string): void;
  end(sessionId: string): void;
  /** Holds back what is to be printed, while somebody types; and lets it go. */
  hold(isHeld: boolean): void;
}

/** A line for each event, and one for each end of a turn. */
export function jsonView(): ChatView {
  const line = (value: unknown): void => say(JSON.stringify(value));
  return {
    begin: () => {},
    event: line,
    turn: ({ text: said, stopped, failure }) =>
      line({ type: 'end', text: said, stopped: stopped ?? null, ...(failure ? failureOf(failure) : {}) }),
    note: (notice) => line({ type: 'notice', text: notice }),
    end: (session_id) => line({ type: 'session', session_id }),
    hold: () => {},
  };
}

const failureOf = (failure: unknown): object => ({
  error: describeError(failure),
  ...(failure instanceof EntireError ? { code: failure.code, hint: failure.hint ?? null } : {}),
});

const MAX_DETAIL = 100;
const MAX_ERROR = 200;

/** What the agent says on stdout; what it does, and what is to be known, on stderr. */
export function textView(isTerminal: boolean): ChatView {
  let held: (() => void)[] | undefined;
  let isInLine = false;
  const print = (act: () => void): void => void (held ? held.push(act) : act());
  const breakLine = (): void => {
    if (isInLine) say();
    isInLine = false;
  };
  const aside = (sentence: string): void =>
    print(() => {
      breakLine();
      warn(dim(sentence));
    });
  const dim = (sentence: string): string =>
    wantsColour(process.env, process.stderr.isTTY) ? paint('quiet', sentence) : sentence;
  return {
    begin: (agent) => void (isTerminal && aside(text.begins(agent, plain(process.cwd())))),
    event(event) {
      if (event.type === 'text')
        print(() => {
          process.stdout.write(plain(event.text));
          isInLine = !event.text.endsWith('\n');
        });
      else if (event.type === 'tool_use') aside(`* ${toolLine(event.name, event.input)}`);
      else if (event.type === 'tool_result' && event.is_error)
        aside(`  failed: ${cutTo(oneLine(event.content), MAX_ERROR)}`);
      else if (event.type === 'steered') aside(`${text.STEERED}: ${oneLine(event.text)}`);
      else if (event.type === 'notice') aside(oneLine(event.text));
    },
    turn({ stopped, failure }) {
      print(breakLine);
      if (stopped) aside(text.STOPPED[stopped]);
      if (isTerminal && failure) print(() => warn(plain(renderFailure(failure))));
    },
    note: (sentence) => aside(plain(sentence)),
    end: () => print(breakLine),
    hold(isHeld) {
      if (isHeld) held ??= [];
      else {
        const acts = held ?? [];
        held = undefined;
        for (const act of acts) act();
      }
    },
  };
}

/** One call of a tool, on one line: what it was used on, or the files that it writes. */
export function toolLine(name: string, input: unknown): string {
  const detail =
    toolDetail(name, input, ['filePath', 'path']) || filesOfCall(name, input).modified.join(', ');
  return cutTo(oneLine(`${name} ${detail}`.trim()), MAX_DETAIL);
}

function renderFailure(failure: unknown): string {
  const hint = failure instanceof EntireError && failure.hint ? `\nHint: ${failure.hint}` : '';
  return `Error: ${describeError(failure)}${hint}`;
}
