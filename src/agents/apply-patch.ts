import type { Replaced, Swap } from '../base/swaps.ts';

/** What an envelope does to one file. Paths are as the model gave them. */
export interface PatchedFile {
  readonly kind: 'add' | 'update' | 'delete';
  readonly path: string;
  /** The name it has afterwards, where the envelope moves it. */
  readonly movedTo: string | undefined;
  /** Whole lines that it writes, without line ends; those that a hunk also takes away are left out. */
  readonly lines: readonly string[];
  /** Blocks of lines that an update puts in the place of others, context included; each line with its line end. */
  readonly swaps: readonly Swap[];
}

const KINDS = { Add: 'add', Update: 'update', Delete: 'delete' } as const;

/** Paths may hold anything but a line end; spaces around them are no part of them. */
const HEADER = /^\*\*\* (Add|Update|Delete) File:(.*)$/s;
const MOVE = /^\*\*\* Move to:(.*)$/s;

interface Section {
  readonly kind: PatchedFile['kind'];
  readonly path: string;
  movedTo: string | undefined;
  readonly lines: string[];
  added: string[];
  removed: Set<string> | undefined;
  readonly swaps: Swap[];
  /** Lines of the block that is read, as they were and as they are to be. */
  block: readonly [old: string[], put: string[]];
  /** Nothing but the header has been read; only here may the new name stand. */
  isFresh: boolean;
}

/**
 * Reads what an `apply_patch` envelope does: the text between `*** Begin Patch` and `*** End Patch`, whatever stands
 * around it. One that was cut off says what it says up to there; lines that belong to nothing say nothing. Never throws.
 *
 * A line of a file begins with `+`, `-` or a space, so that text of a file is not taken for a header. Between sections
 * headers may be indented, as the client allows.
 *
 * @see https://github.com/openai/codex/blob/main/codex-rs/apply-patch/apply_patch_tool_instructions.md
 */
export function parseApplyPatch(text: string): PatchedFile[] {
  const sections: Section[] = [];
  let isOpen = false;
  let current: Section | undefined;
  for (const line of text.split(/\r?\n/)) {
    const marker = current?.kind === 'update' ? line.trimEnd() : line.trim();
    if (!isOpen || marker === '*** End Patch') {
      if (current) closeHunk(current);
      current = undefined;
      isOpen = !isOpen && marker === '*** Begin Patch';
      continue;
    }
    const header = HEADER.exec(marker);
    if (header) {
      if (current) closeHunk(current);
      current = open(KINDS[header[1] as keyof typeof KINDS], (header[2] as string).trim());
      if (current) sections.push(current);
    } else if (current) readLine(current, line);
  }
  if (current) closeHunk(current);
  return sections.map(({ kind, path, movedTo, lines, swaps }) => ({ kind, path, movedTo, lines, swaps }));
}

/** Every path that an envelope names, in its order, each once; of a moved file both names. */
export function patchedPaths(text: string): string[] {
  const files = parseApplyPatch(text);
  return [
    ...new Set(files.flatMap(({ path, movedTo }) => (movedTo === undefined ? [path] : [path, movedTo]))),
  ];
}

/** What an envelope replaces in each file that it updates, by the path that it names it by. */
export function replacedByPatch(text: string): Map<string, Replaced> {
  const replaced = new Map<string, Swap[]>();
  for (const { kind, path, swaps } of parseApplyPatch(text)) {
    if (kind !== 'update') continue;
    const before = replaced.get(path);
    if (before) before.push(...swaps);
    else replaced.set(path, [...swaps]);
  }
  return new Map([...replaced].map(([path, swaps]) => [path, { swaps, isByLine: true }]));
}

/** Where an envelope moves files to, by the path that it names them by. */
export const movedByPatch = (text: string): Map<string, string> =>
  new Map(
    parseApplyPatch(text).flatMap(({ path, movedTo }) =>
      movedTo === undefined ? [] : [[path, movedTo] as const],
    ),
  );

const open = (kind: Section['kind'], path: string): Section | undefined =>
  path === ''
    ? undefined
    : {
        ...{ kind, path, movedTo: undefined, lines: [], added: [], removed: undefined, swaps: [] },
        ...{ block: [[], []], isFresh: true },
      };

function readLine(section: Section, line: string): void {
  const move = section.isFresh && section.kind === 'update' ? MOVE.exec(line.trimEnd()) : null;
  section.isFresh = false;
  if (move) section.movedTo = (move[1] as string).trim() || undefined;
  else if (section.kind === 'delete') return;
  else if (line.startsWith('+')) {
    section.added.push(line.slice(1));
    if (section.kind === 'update') section.block[1].push(line.slice(1));
  } else if (section.kind === 'update' && line.startsWith('-')) {
    section.removed ??= new Set();
    section.removed.add(line.slice(1));
    section.block[0].push(line.slice(1));
  } else if (line.startsWith('@@')) closeHunk(section);
  else if (section.kind === 'update' && (line === '' || line.startsWith(' ')))
    for (const lines of section.block) lines.push(line.slice(1));
}

function closeHunk(section: Section): void {
  for (const line of section.added) if (!section.removed?.has(line)) section.lines.push(line);
  section.added = [];
  section.removed = undefined;
  if (section.kind !== 'update') return;
  const [old, put] = section.block.map((lines) => lines.map((line) => `${line}\n`).join(''));
  if (old !== put) section.swaps.push([old ?? '', put ?? '']);
  section.block = [[], []];
}
