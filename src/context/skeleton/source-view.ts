import type { Language } from './language.ts';
import { readStructure, type SourceReading } from './read-structure.ts';
import type { SourceStructure } from './structure.ts';
import {
  maskOf,
  partialNote,
  renderMasked,
  renderOutline,
  renderSkeleton,
  type SymbolMask,
} from './views.ts';

/**
 * A view that needs the syntax of a file: its skeleton, its outline, what a mask says of each symbol, or the heads or
 * whole definitions of some symbols, of all where none are named. Symbols are named by their paths, `Server.run`.
 */
export type ViewRequest =
  | { readonly mode: 'skeleton' | 'outline' }
  | { readonly mode: 'masked'; readonly mask: SymbolMask }
  | { readonly mode: 'signatures' | 'definitions'; readonly symbols?: readonly string[] };

/** A view of a source file. */
export interface ShownSource {
  readonly status: 'shown';
  readonly language: Language;
  readonly text: string;
  /** Symbols that the request names and the file does not have. */
  readonly unknown: readonly string[];
  /** Said where the source has syntax errors and the view may lack something. */
  readonly note?: string;
}

/** A view, or why there is none: the caller then falls back to a summary. */
export type SourceView = ShownSource | Exclude<SourceReading, { status: 'read' }>;

/**
 * Reads a source file and shows it. Never throws: where there is no grammar for the file (`no-grammar`), or it could not
 * be read with it (`failed`, with a reason), there is no view.
 */
export async function viewSource(fileName: string, text: string, request: ViewRequest): Promise<SourceView> {
  const reading = await readStructure(fileName, text);
  return reading.status === 'read' ? showStructure(text, reading.structure, request) : reading;
}

/** The same for a file that was read before; `text` must be the one that its structure was read from. */
export function showStructure(text: string, structure: SourceStructure, request: ViewRequest): ShownSource {
  const note = partialNote(structure);
  const view = render(text, structure, request);
  return {
    status: 'shown',
    language: structure.language,
    text: view.text,
    unknown: view.unknown ?? [],
    ...(note !== undefined && { note }),
  };
}

function render(
  text: string,
  structure: SourceStructure,
  request: ViewRequest,
): { readonly text: string; readonly unknown?: readonly string[] } {
  switch (request.mode) {
    case 'skeleton':
      return { text: renderSkeleton(text, structure) };
    case 'outline':
      return { text: renderOutline(structure) };
    case 'masked':
      return renderMasked(text, structure, request.mask);
    case 'signatures':
      return renderMasked(text, structure, maskOf(structure, 'sig', request.symbols));
    case 'definitions':
      return renderMasked(text, structure, maskOf(structure, 'def', request.symbols));
  }
}
