import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { isDistinctive, isImport } from '../../base/text/lines.ts';
import type { Patch } from '../../git/commit/patch.ts';
import type { IsAbove } from './above.ts';
import type { Claim } from './claim.ts';
import type { Changer } from './names.ts';

/**
 * How it is known that a commit holds the work of a checkpoint, the strongest first. Nothing is concluded from messages, names, dates or
 * likeness.
 */
export type ProofKind =
  | 'commit' // it is the commit that the checkpoint was made for
  | 'tree' // it has the same tree, on the same parents
  | 'contents' // files go from the same contents to the same ones, in one step or over several commits
  | 'patch' // its patch is the same, white space included
  | 'lines'; // lines of that commit are among those it adds

/** What is found of a checkpoint in a commit. */
export interface Match {
  readonly claim: Claim;
  readonly proof: ProofKind;
  /** It is that commit as a whole; else it holds these lines, and who wrote them has not been asked. */
  readonly isWhole: boolean;
  readonly lines: readonly FoundLine[];
  /** It may be chance: nothing is linked for it. */
  readonly isChance?: boolean;
}

/** A line that a commit adds, and that stood in one of a checkpoint. */
export interface FoundLine {
  readonly text: string;
  /** In the commit of the checkpoint. */
  readonly path: string;
  /** A command alone brought it, as far as the session knows: who wrote it by a tool goes before. */
  readonly isByCommand?: boolean;
}

/** Whether its text alone tells a line: whoever puts it back where it stood has it from there. */
export const isTellingByItself = ({ text }: FoundLine): boolean => isDistinctive(text) && !isImport(text);

/** One that was found by itself. */
export interface LooseLine extends FoundLine {
  /** The file that the commit adds it to. */
  readonly at: string;
  readonly checkpoint: CheckpointId;
  /** It stands beside a line that it stood beside there. */
  readonly isBeside: boolean;
  /** The file that it stood in may have got the name of this one: in commits of checkpoints, whosever, or in one that this one goes behind. */
  readonly isRenamed?: boolean;
  /** Where its text alone tells it, and few commits of checkpoints have it: those of them that changed both files. */
  readonly movers?: readonly Changer[];
  /** What the commit of the checkpoint made of the file. */
  readonly blob: ObjectId | undefined;
  /** What that commit was made on. */
  readonly parent?: ObjectId | undefined;
  /** The commit that it must have come from, below the other one: it is too short for anything else. */
  readonly from?: ObjectId;
}

/** Lines of a checkpoint that were found by themselves. */
export interface LooseMatch extends Match {
  readonly lines: readonly LooseLine[];
}

/**
 * Whether the work of a checkpoint stands elsewhere, in a commit of a ref that people have: it was not rewritten into the one that is asked
 * about, so that what both have may be chance.
 */
export type IsElsewhere = (claim: Claim, asked: ObjectId) => boolean;

/** By commit, the digests of lines that it brings back. */
export type BroughtBack = ReadonlyMap<ObjectId, ReadonlySet<string>>;

/** Tells what commits bring back that was there before, below them. */
export interface BringingBack {
  /** By what they say that they revert. */
  readonly reverted: BroughtBack;
  /**
   * Of lines that were found: whether the commit made the file what it had been or what it is on another branch, or put back what stood there, and
   * was taken out since. Three processes; more only for large files.
   */
  restored(asked: readonly AskedBack[]): (commit: ObjectId, line: LooseLine) => boolean;
  /** Tells of lines that stood in a file before a session wrote them into another one: it had copied them. Two processes, where there are any. */
  copied(lines: readonly LooseLine[]): (line: LooseLine) => boolean;
}

/** A commit, and lines that it may bring back. */
export interface AskedBack {
  readonly patch: Patch;
  readonly lines: readonly LooseLine[];
  /** Checkpoints whose work it holds, or that it names: it may be made of their commits. */
  readonly madeOf: readonly Claim[];
  /** What is found of those whose work it holds. */
  readonly holds: readonly Match[];
}

/** What is asked about claims. */
export interface MatchFacts {
  readonly isElsewhere: IsElsewhere;
  /** Whether a blob is no text. Two processes each, once. */
  readonly isBinary: (blob: ObjectId) => boolean;
  readonly isAbove?: IsAbove;
  /** Git itself has said that the commits were made of these: then a shorter line proves something, too, where there is but one of it. */
  readonly isProposed: boolean;
  /** Of what commits bring back few lines are proof enough, too, where its work stands elsewhere: it stands below them. */
  readonly bringingBack?: BringingBack;
  /** The checkpoints that a commit names: of these few and short lines are proof enough. */
  readonly named?: (commit: ObjectId) => readonly CheckpointId[];
  /** All lines that a checkpoint has are proof, however few: git has said that the commits may be made of it. */
  readonly takesAll?: boolean;
  /** It is known where the commit has a line from: nobody asks about that. */
  readonly isKnown?: (commit: ObjectId, text: string) => boolean;
  /** A checkpoint was made for the commit: what is asked is whose other lines are in it. */
  readonly isOwned?: (commit: ObjectId) => boolean;
}
