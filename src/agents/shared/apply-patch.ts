import type { Replaced, Swap } from '../../base/file/swaps.ts';

/** What an envelope does to one file. Paths are as the model gave them. */
export interface PatchedFile {
  readonly kind: 'add' | 'update' | 'delete';
  readonly path: string;
  /** The name it has afterwards, where the envelope moves it. */
  readonly movedTo: string | undefined;
  /** Whole lines that it writes, without line ends; those that a hunk also takes away are left out. */
  readonly lines: readonly string[];
  /** Whole lines that its hunks take away and do not write again. */
  readonly removed: readonly string[];
  /** Blocks of lines that an update puts in the place of others, context included; each line with its line end. */
  readonly swaps: readonly Swap[];
  /** All of its lines as they stand in the envelope. */
  readonly body: readonly string[];
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
  readonly removed: string[];
  /** Of the hunk that is read. */
  added: string[];
  gone: Set<string> | undefined;
  readonly swaps: Swap[];
  readonly body: string[];
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
  return sections.map(({ kind, path, movedTo, lines, removed, swaps, body }) => ({
    ...{ kind, path, movedTo, lines, removed, swaps, body },
  }));
}

/** What an envelope does to files, as far as hooks want to know. */
export interface PatchTold {
  /** Every path that it names, in its order, each once; of a moved file both names. */
  readonly paths: string[];
  /** What it replaces in each file that it updates, by the path that it names it by. */
  readonly replaced: ReadonlyMap<string, Replaced>;
  /** Where it moves files to, by the path that it names them by. */
  readonly moved: ReadonlyMap<string, string>;
}

/** Reads an envelope once for all that is asked of it. */
export function readPatch(text: string): PatchTold {
  const paths = new Set<string>();
  const swapsOf = new Map<string, Swap[]>();
  const moved = new Map<string, string>();
  for (const { kind, path, movedTo, swaps } of parseApplyPatch(text)) {
    paths.add(path);
    if (movedTo !== undefined) {
      paths.add(movedTo);
      moved.set(path, movedTo);
    }
    if (kind !== 'update') continue;
    const before = swapsOf.get(path);
    if (before) before.push(...swaps);
    else swapsOf.set(path, [...swaps]);
  }
  const replaced = new Map([...swapsOf].map(([path, swaps]) => [path, { swaps, isByLine: true }]));
  return { paths: [...paths], replaced, moved };
}

/** Every path that an envelope names, in its order, each once; of a moved file both names. */
export const patchedPaths = (text: string): string[] => readPatch(text).paths;

const open = (kind: Section['kind'], path: string): Section | undefined =>
  path === ''
    ? undefined
    : {
        ...{ kind, path, movedTo: undefined, lines: [], removed: [], swaps: [], body: [] },
        ...{ added: [], gone: undefined, block: [[], []], isFresh: true },
      };

function readLine(section: Section, line: string): void {
  section.body.push(line);
  const move = section.isFresh && section.kind === 'update' ? MOVE.exec(line.trimEnd()) : null;
  section.isFresh = false;
  if (move) section.movedTo = (move[1] as string).trim() || undefined;
  else if (section.kind === 'delete') return;
  else if (line.startsWith('+')) {
    section.added.push(line.slice(1));
    if (section.kind === 'update') section.block[1].push(line.slice(1));
  } else if (section.kind === 'update' && line.startsWith('-')) {
    section.gone ??= new Set();
    section.gone.add(line.slice(1));
    section.block[0].push(line.slice(1));
  } else if (line.startsWith('@@')) closeHunk(section);
  else if (section.kind === 'update' && (line === '' || line.startsWith(' ')))
    for (const lines of section.block) lines.push(line.slice(1));
}

function closeHunk(section: Section): void {
  const { added, gone } = section;
  for (const line of added) if (!gone?.has(line)) section.lines.push(line);
  const again = new Set(gone && added);
  for (const line of gone ?? []) if (!again.has(line)) section.removed.push(line);
  section.added = [];
  section.gone = undefined;
  if (section.kind !== 'update') return;
  const [old, put] = section.block.map((lines) => lines.map((line) => `${line}\n`).join(''));
  if (old !== put) section.swaps.push([old ?? '', put ?? '']);
  section.block = [[], []];
}
