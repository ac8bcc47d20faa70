import { shortType } from '../../agents/names.ts';
import { collapse, counted, sanitizeForTerminal } from '../../base/text/text.ts';

/** What a status line can say. A text that is empty has nothing to say. */
export interface Status {
  readonly isRecording: boolean;
  /** `recording`, or why not. */
  readonly state: string;
  readonly files: number;
  readonly steps: number;
  /** As metadata names it. */
  readonly agentType: string;
  readonly sessionId: string;
  /** As the client names it. */
  readonly model: string;
  readonly branch: string;
  /** Name of the worktree's folder. */
  readonly folder: string;
}

const COLOURS: Readonly<Record<string, number>> = {
  ...{ reset: 0, bold: 1, dim: 2, black: 30, red: 31, green: 32 },
  ...{ yellow: 33, blue: 34, magenta: 35, cyan: 36, white: 37 },
};

/** By letter: what stands for it, and what people are told of it. */
export const PLACEHOLDERS: Readonly<
  Record<string, { readonly describe: string; readonly of: (status: Status) => string }>
> = {
  s: { describe: '"recording", or why not', of: ({ state }) => state },
  f: { describe: '"2 files uncommitted"', of: ({ files }) => some(files, 'file', ' uncommitted') },
  n: { describe: 'their number', of: ({ files }) => String(files) },
  t: { describe: '"3 steps" since the last commit', of: ({ steps }) => some(steps, 'step') },
  c: { describe: 'their number', of: ({ steps }) => String(steps) },
  a: { describe: 'agent', of: ({ agentType }) => shortType(agentType) },
  i: { describe: 'first 8 characters of the session id', of: ({ sessionId }) => sessionId.slice(0, 8) },
  I: { describe: 'session id', of: ({ sessionId }) => sessionId },
  m: { describe: 'model, where the client tells it', of: ({ model }) => model },
  b: { describe: 'branch', of: ({ branch }) => branch },
  w: { describe: 'folder of the worktree', of: ({ folder }) => folder },
};

const some = (count: number, one: string, more = ''): string =>
  count === 0 ? '' : `${counted(count, one)}${more}`;

export const DEFAULT_FORMAT = 'entire: %s%{ · %f}%{ · %a %i}';
export const COLOURED_FORMAT =
  '%C(dim)entire:%C(reset) %C(auto)%s%C(reset)%{ · %C(cyan)%f%C(reset)}%{ · %C(magenta)%a %i%C(reset)}';

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly letter: string }
  | { readonly kind: 'colour'; readonly name: string }
  | { readonly kind: 'group'; readonly parts: readonly Part[] };

/** A format that was read, or what is wrong with it. */
export type Format = { readonly parts: readonly Part[] } | { readonly problem: string };

/** Reads a format: text, `%s` and the like, `%C(red)`, and `%{…}`, which is left out where a placeholder in it has nothing to say. */
export function parseFormat(format: string): Format {
  const parts: Part[] = [];
  let group: Part[] | undefined;
  const token = /%C\(([^)]*)\)|%(\{|[\s\S]|$)|[^%}]+|\}/g;
  for (const [whole, colour, sign] of format.matchAll(token)) {
    const into = group ?? parts;
    if (colour !== undefined) {
      if (colour !== 'auto' && !Object.hasOwn(COLOURS, colour))
        return { problem: `"${colour}" is not a colour: ${['auto', ...Object.keys(COLOURS)].join(', ')}` };
      into.push({ kind: 'colour', name: colour });
    } else if (sign === '{') {
      if (group) return { problem: '"%{" stands within another "%{"' };
      group = [];
    } else if (sign !== undefined) {
      if (sign === '%' || sign === '}') into.push({ kind: 'text', text: sign });
      else if (Object.hasOwn(PLACEHOLDERS, sign)) into.push({ kind: 'value', letter: sign });
      else return { problem: `"${whole}" is not a placeholder: ${KNOWN}` };
    } else if (whole === '}' && group) {
      parts.push({ kind: 'group', parts: group });
      group = undefined;
    } else into.push({ kind: 'text', text: whole });
  }
  return group ? { problem: '"%{" has no "}"' } : { parts };
}

const KNOWN = [...Object.keys(PLACEHOLDERS).map((letter) => `%${letter}`), '%{…}', '%C(red)', '%%'].join(' ');

/** One line, whatever the values are; colours that it begins it ends. */
export function renderStatus(parts: readonly Part[], status: Status): string {
  let isColoured = false;
  const render = (list: readonly Part[]): string | undefined => {
    let line = '';
    for (const part of list) {
      if (part.kind === 'text') line += part.text.replace(/[\r\n]+/g, ' ');
      else if (part.kind === 'group') line += render(part.parts) ?? '';
      else if (part.kind === 'colour') {
        isColoured = part.name !== 'reset';
        line += `\x1b[${codeOf(part.name, status)}m`;
      } else {
        const value = collapse(sanitizeForTerminal(PLACEHOLDERS[part.letter]?.of(status) ?? ''));
        if (list !== parts && value === '') return undefined;
        line += value;
      }
    }
    return line;
  };
  const line = render(parts) ?? '';
  return isColoured ? `${line}\x1b[0m` : line;
}

const codeOf = (name: string, { isRecording }: Status): number =>
  COLOURS[name === 'auto' ? (isRecording ? 'green' : 'yellow') : name] ?? 0;
