import { estimateTokens } from './after-compaction.ts';
import type { AggregatedFile } from './aggregate/file-items.ts';
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
 * @param budget tokens, as {@link estimateTokens} counts them
 * @param showAgain shows one file by other settings
 * @param render the text of all
 */
export async function fitBudget(
  files: readonly AggregatedFile[],
  budget: number,
  showAgain: (settings: FileItem) => Promise<AggregatedFile | undefined>,
  render: (files: readonly AggregatedFile[]) => string,
): Promise<Fitted> {
  const now = [...files];
  const steps = files.map(stepOf);
  const size = (at: number): number => Buffer.byteLength((now[at] as AggregatedFile).content);
  for (;;) {
    if (estimateTokens(render(now)) <= budget)
      return { files: now, lowered: difference(files, now), fits: true };
    const open = now.flatMap((_, at) => (canGoOn(steps[at]) && size(at) > 0 ? [at] : []));
    const largest = open.toSorted((a, b) => size(b) - size(a)).at(0);
    if (largest === undefined) return { files: now, lowered: difference(files, now), fits: false };
    const step = (steps[largest] as number) + 1;
    steps[largest] = step;
    const file = now[largest] as AggregatedFile;
    const settings = file.settings.with({ path: file.path ?? file.entry, viewMode: STEPS[step] as ViewMode });
    const shown = await showAgain(settings);
    // A file of a few lines may have a summary that is longer.
    if (shown && Buffer.byteLength(shown.content) < size(largest))
      now[largest] = { ...shown, entry: file.entry };
  }
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
    const from = before[at]?.settings.viewMode ?? 'full';
    const to = file.settings.viewMode;
    return from === to ? [] : [{ name: file.name, from, to }];
  });
