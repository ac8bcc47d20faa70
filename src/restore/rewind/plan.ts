import { isInfrastructurePath, type RepoPath } from '../../base/repo-path.ts';
import { isSameEntry, type TreeEntry } from '../../git/object/objects.ts';

/** What stands at a path of the worktree, as git would store it. */
export type Standing =
  | { readonly kind: 'missing' }
  | { readonly kind: 'file' | 'link'; readonly entry: TreeEntry }
  /** A file that cannot be read. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'folder' | 'special' }
  /** A folder on the way is a link or a file, or belongs to another repository. */
  | { readonly kind: 'beyond-link' | 'beyond-file' | 'in-repository' };

/** A path that a session wrote, and what is known of it. */
export interface PathFacts {
  readonly path: RepoPath;
  /** What the checkpoint has there. */
  readonly target: TreeEntry | undefined;
  readonly standing: Standing;
  /** HEAD has it. */
  readonly isTracked: boolean;
  readonly isIgnored: boolean;
  /** It was there before the session, and git did not know it. */
  readonly wasThere: boolean;
  /** Another session of this worktree wrote it since the checkpoint. */
  readonly other: string | undefined;
}

/** Why a path stays as it is. */
export type LeaveReason =
  | 'protected'
  | 'ignored'
  | 'was-there'
  | 'other-session'
  | 'contradicted'
  | 'submodule'
  | Exclude<Standing['kind'], 'missing' | 'file' | 'link'>;

/** What becomes of a path. Those that are as they should be have no verdict. */
export type Verdict =
  | { readonly kind: 'restore'; readonly path: RepoPath; readonly to: TreeEntry }
  | { readonly kind: 'delete'; readonly path: RepoPath; readonly isTracked: boolean }
  | {
      readonly kind: 'leave';
      readonly path: RepoPath;
      readonly reason: LeaveReason;
      /** The session, where it is another one's. */
      readonly other?: string;
      /** In words, where it is contradicted. */
      readonly why?: string;
    };

/** What becomes of each path, in their order. */
export const planRewind = (paths: readonly PathFacts[]): Verdict[] =>
  paths.flatMap((facts) => judge(facts) ?? []);

function judge(facts: PathFacts): Verdict | undefined {
  const { path, target, standing, isTracked, other } = facts;
  if (isAsWanted(standing, target)) return undefined;
  const reason = whyLeft(facts);
  if (reason !== undefined) {
    return { kind: 'leave', path, reason, ...(reason === 'other-session' && other ? { other } : {}) };
  }
  return target ? { kind: 'restore', path, to: target } : { kind: 'delete', path, isTracked };
}

function isAsWanted(standing: Standing, target: TreeEntry | undefined): boolean {
  if (standing.kind === 'missing') return target === undefined;
  if (standing.kind === 'file' || standing.kind === 'link') return isSameEntry(standing.entry, target);
  return false;
}

function whyLeft({ path, target, standing, isIgnored, wasThere, other }: PathFacts): LeaveReason | undefined {
  if (isProtected(path)) return 'protected';
  if (target && !/^(100644|100755|120000)$/.test(target.mode)) return 'submodule';
  if (standing.kind !== 'missing' && standing.kind !== 'file' && standing.kind !== 'link')
    return standing.kind;
  if (isIgnored) return 'ignored';
  if (!target && wasThere) return 'was-there';
  return other === undefined ? undefined : 'other-session';
}

/** Ours, and those in which agents keep their settings. */
const PROTECTED = [
  '.entire',
  '.claude',
  '.codex',
  '.cursor',
  '.factory',
  '.gemini',
  '.opencode',
  '.pi',
  '.qwen',
];

/** Whether a path is one of those folders or in it, however its name is written, or in a folder of git's. */
export const isProtected = (path: string): boolean =>
  isInfrastructurePath(path) || PROTECTED.includes(path.split('/', 1)[0]?.toLowerCase() ?? '');
