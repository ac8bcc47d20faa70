import { CompactionMetadata, isPath } from './compaction.ts';

/**
 * Remembers which files were read and modified, in the order of their first use, each once. Paths are taken as they are
 * given: `a.ts` and `./a.ts` are two. A file may be on both lists.
 */
export class FileTracker {
  private readonly read = new Set<string>();
  private readonly modified = new Set<string>();

  /** A path that is empty is not recorded. */
  recordRead(path: string): void {
    if (isPath(path)) this.read.add(path);
  }

  /** As {@link recordRead}. Deleted and moved files are modified ones. */
  recordModified(path: string): void {
    if (isPath(path)) this.modified.add(path);
  }

  /** What is recorded by now; later records do not change it. */
  toMetadata(): CompactionMetadata {
    return new CompactionMetadata({ readFiles: this.read, modifiedFiles: this.modified });
  }

  /** The section for a prompt: {@link CompactionMetadata.toPromptSection}. */
  toPromptSection(): string {
    return this.toMetadata().toPromptSection();
  }
}
