import type { SearchDocument } from '../document.ts';

/** Something that sessions are read from: a session in a checkpoint, a transcript, a session of ours in a file. */
export interface Source {
  /** By which it is known again. */
  readonly key: string;
  /** Which rules redact it: others mean that it is read again. */
  readonly rules: string;
  /** As long as this is the same, it holds the same. */
  readonly state: string;
  readonly session: string;
  /** As metadata call it; empty where nobody knows. */
  readonly agent: string;
  /** Where it was begun; empty where nobody knows. */
  readonly folder: string;
  /** Of a session in a checkpoint. */
  readonly checkpoint: string;
  /** Bytes to be read, for who waits. */
  readonly sizeBytes: number;
}

/** What was read of a source. */
export interface Reading {
  readonly documents: readonly SearchDocument[];
  /** Everything, and not only what came since the last time. */
  readonly isWhole: boolean;
  /** What the next reading goes on from; empty where it begins anew. */
  readonly progress: string;
}

/** A source that is read by itself, and may have been read before. */
export interface ReadableSource extends Source {
  /** Whether there is more to read behind the progress of the last reading, though `state` is the same. */
  hasGrown?(progress: string): boolean;
  /**
   * @param progress of the last reading; empty for none
   * @param holds whether one of some texts stands in what was read before
   * @returns `undefined` where nothing may be read of it now
   */
  read(
    progress: string,
    holds: (isHeld: (text: string) => boolean) => Promise<boolean>,
  ): Promise<Reading | undefined>;
}
