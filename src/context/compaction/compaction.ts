import { asList, asObject } from '../../base/text/json.ts';
import { renderFileSection } from '../file-section.ts';
import type { ContextMessage } from '../message.ts';

export interface CompactionFields {
  readonly readFiles?: Iterable<string> | undefined;
  readonly modifiedFiles?: Iterable<string> | undefined;
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
}

/** {@link CompactionMetadata} as JSON on disk; a count that is not known is left out. */
export interface CompactionDict {
  readonly read_files: readonly string[];
  readonly modified_files: readonly string[];
  readonly tokens_before?: number;
  readonly tokens_after?: number;
}

/** Which files a session worked with, carried across a compaction. Never changes; lists keep the order of first use. */
export class CompactionMetadata {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
  /** Tokens of the context before the compaction, and after it; `undefined` where nobody counted. */
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;

  /** Duplicates and what is no path are dropped; a count that is no whole number from 0 is not known. */
  constructor({ readFiles = [], modifiedFiles = [], tokensBefore, tokensAfter }: CompactionFields = {}) {
    this.readFiles = uniquePaths(readFiles);
    this.modifiedFiles = uniquePaths(modifiedFiles);
    this.tokensBefore = asCount(tokensBefore);
    this.tokensAfter = asCount(tokensAfter);
  }

  /**
   * What both know of files, this one's first. Token counts are those of `other`, known or not: they belong to one
   * compaction, and one count of each would describe none.
   */
  merge(other: CompactionMetadata): CompactionMetadata {
    return new CompactionMetadata({
      readFiles: [...this.readFiles, ...other.readFiles],
      modifiedFiles: [...this.modifiedFiles, ...other.modifiedFiles],
      tokensBefore: other.tokensBefore,
      tokensAfter: other.tokensAfter,
    });
  }

  /** The section for a prompt; the empty text when no file was touched. Paths that could break it are quoted. */
  toPromptSection(): string {
    return renderFileSection(this.modifiedFiles, this.readFiles);
  }

  toDict(): CompactionDict {
    return {
      read_files: this.readFiles,
      modified_files: this.modifiedFiles,
      ...(this.tokensBefore === undefined ? {} : { tokens_before: this.tokensBefore }),
      ...(this.tokensAfter === undefined ? {} : { tokens_after: this.tokensAfter }),
    };
  }

  /** Reads what was stored as far as it makes sense: whatever is no path or no count is left out. Never throws. */
  static fromDict(value: unknown): CompactionMetadata {
    const { read_files, modified_files, tokens_before, tokens_after } = asObject(value);
    return new CompactionMetadata({
      readFiles: asList(read_files) as readonly string[],
      modifiedFiles: asList(modified_files) as readonly string[],
      tokensBefore: asCount(tokens_before),
      tokensAfter: asCount(tokens_after),
    });
  }
}

/** Makes a conversation shorter. */
export interface CompactionStrategy {
  /** The messages that stand in place of `messages`. */
  compact(messages: readonly ContextMessage[]): Promise<readonly ContextMessage[]>;
}

/** What {@link FileAwareCompaction} adds to a class. */
export interface FileAware {
  /** Remembers what the next {@link CompactionStrategy.compact} tells of files; replaces what was set before. */
  setMetadata(metadata: CompactionMetadata): void;
  /** The section of the metadata that was set; the empty text when none was. */
  getFilePromptSection(): string;
}

/** A strategy that tells the model, and whoever reads its summary, which files were touched. */
export interface FileAwareCompaction extends CompactionStrategy, FileAware {}

// biome-ignore lint/suspicious/noExplicitAny: the language takes nothing else for the arguments of a class that is mixed into
type AnyClass<T = object> = abstract new (...args: any[]) => T;

/** Makes a class aware of files: `class Mine extends FileAwareCompaction(Base)`. */
export function FileAwareCompaction<Base extends AnyClass>(base: Base): Base & AnyClass<FileAware> {
  abstract class Aware extends base implements FileAware {
    #metadata: CompactionMetadata | undefined;

    setMetadata(metadata: CompactionMetadata): void {
      this.#metadata = metadata;
    }

    getFilePromptSection(): string {
      return this.#metadata?.toPromptSection() ?? '';
    }
  }
  return Aware;
}

/** What can be recorded as a path: any text but the empty one. Callers without types hand over anything. */
export const isPath = (value: unknown): value is string => typeof value === 'string' && value !== '';

const uniquePaths = (paths: Iterable<unknown>): readonly string[] =>
  Object.freeze([...new Set([...paths].filter(isPath))]);

const asCount = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
