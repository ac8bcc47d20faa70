import type { AggregatedFile } from './aggregate/file-items.ts';
import { renderFile } from './aggregate/files-section.ts';
import type { FileItem, ViewMode } from './file-item.ts';

/** Less and less of a file. */
const STEPS: readonly ViewMode[] = ['full', 'skeleton', 'outline', 'summary', 'none'];

/** A file of which less is shown than was asked for. */
export interface Lowered {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

export interface Fitted {
  readonly files: readonly AggregatedFile[];
  readonly lowered: readonly Lowered[];
  /** Whether it is within the budget now. */
  readonly fits: boolean;
}

/**
 * Shows less of the largest file, again and again, until the text is within the budget: its skeleton, its outline, a summary,
 * at last nothing but its name. Files that are to stand there in full, and slices and masks that somebody chose, are left as they are.
 *
 * @param budget tokens, of about three bytes each
 * @param showAgain shows one file by other settings
 * @param render the text of all; made anew only where enough may have been left out
 */
export async function fitBudget(
  files: readonly AggregatedFile[],
  budget: number,
  showAgain: (settings: FileItem) => Promise<AggregatedFile | undefined>,
  render: (files: readonly AggregatedFile[]) => string,
): Promise<Fitted> {
  const now = [...files];
  const steps = files.map(stepOf);
  const sizes = files.map(sizeOf);
  for (;;) {
    let excess = Buffer.byteLength(render(now)) - maxBytes(budget);
    if (excess <= 0) return { files: now, lowered: difference(files, now), fits: true };
    let largest = findLargest(sizes, steps);
    if (largest === undefined) return { files: now, lowered: difference(files, now), fits: false };
    for (; excess > 0 && largest !== undefined; largest = findLargest(sizes, steps)) {
      const file = now[largest] as AggregatedFile;
      const step = (steps[largest] as number) + 1;
      steps[largest] = step;
      const viewMode = STEPS[step] as ViewMode;
      const shown = await showAgain(file.settings.with({ path: file.path ?? file.entry, viewMode }));
      const saved = shown ? (sizes[largest] as number) - sizeOf(shown) : 0;
      if (!shown || saved <= 0) continue; // a file of a few lines may have a summary that is longer
      now[largest] = { ...shown, entry: file.entry };
      sizes[largest] = sizeOf(shown);
      excess -= saved;
    }
  }
}

const sizeOf = (file: AggregatedFile): number => Buffer.byteLength(renderFile(file));

/** The largest of the files of which less can be shown. */
function findLargest(sizes: readonly number[], steps: readonly (number | undefined)[]): number | undefined {
  let largest: number | undefined;
  for (const [at, step] of steps.entries())
    if (canGoOn(step) && (sizes[at] as number) > (sizes[largest ?? -1] ?? 0)) largest = at;
  return largest;
}

const canGoOn = (step: number | undefined): boolean => step !== undefined && step < STEPS.length - 1;

/** Where a file is on the way down; `undefined` for one that stays as it is. */
function stepOf({ settings, path }: AggregatedFile): number | undefined {
  const { forceFull, autoAggregate, viewMode, astSignatures, astDefinitions } = settings;
  if (path === undefined || forceFull || !autoAggregate || astSignatures || astDefinitions) return undefined;
  const step = STEPS.indexOf(viewMode);
  return step === -1 ? undefined : step;
}

const difference = (before: readonly AggregatedFile[], now: readonly AggregatedFile[]): Lowered[] =>
  now.flatMap((file, at) => {
    const from = before[at]?.view ?? 'full';
    const to = file.view ?? 'none';
    return from === to ? [] : [{ name: file.name, from, to }];
  });

/** A word of code is about three bytes to a model; for a text that must not be too long it is better to guess high. */
const TOKEN_BYTES = 3;

/** How many tokens a text is at most, as a rule. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / TOKEN_BYTES);

/** How many bytes a text of so many tokens has at most. */
export const maxBytes = (tokens: number): number => tokens * TOKEN_BYTES;
