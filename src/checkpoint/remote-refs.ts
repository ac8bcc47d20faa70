import type { ObjectId } from '../base/ids.ts';
import { NOTES_REF } from '../git/commit/links.ts';
import { readRefsBelow } from '../git/ref/refs.ts';
import type { Git } from '../git/run.ts';
import { METADATA_REF } from './shadow-branch.ts';

/** What travels, by its ref on a remote: checkpoints, on a branch or at a ref that no clone fetches unasked; and notes. */
export const REMOTE_REFS = {
  branch: METADATA_REF,
  ref: 'refs/entire/checkpoints/v1',
  notes: NOTES_REF,
} as const;

export type Travelling = keyof typeof REMOTE_REFS;
/** Where a remote keeps checkpoints. */
export type Kept = Exclude<Travelling, 'notes'>;

const OF_REMOTE = /^refs\/remotes\/(.+)\/entire\/checkpoints\/v1$/;
const OF_URL = 'refs/entire/remotes/';
const OWN = 'refs/entire/tracking/';

/**
 * What a remote had of something when we last spoke with it.
 *
 * @param branch the ref that tells it of the branch
 */
export function trackingOf(branch: string, what: Travelling): string {
  if (what === 'branch') return branch;
  const name = OF_REMOTE.exec(branch)?.[1] ?? branch.slice(OF_URL.length);
  return `${OWN}${name}/${what === 'ref' ? 'checkpoints' : 'notes'}`;
}

/** Where a remote's checkpoints were, as far as this clone knows. */
export interface Tracked {
  readonly ref: string;
  readonly tip: ObjectId;
  readonly what: Kept;
  /** Its name; `undefined` for a place that only a URL tells. */
  readonly remote: string | undefined;
}

/** What a person types to replace what a remote has with what is here, and the branch that git would choose. */
export const replacesThere = (remote: string, what: Kept): string =>
  `git push --force ${remote} entire/checkpoints/v1${what === 'ref' ? `:${REMOTE_REFS.ref}` : ''}`;

/** All of them, wherever a remote keeps them. One process. */
export function listTracked(git: Git): Tracked[] {
  return [...readRefsBelow(git, ['refs/remotes/', OF_URL, OWN])].flatMap(([ref, tip]): Tracked[] => {
    if (ref.startsWith(OF_URL)) return [{ ref, tip, what: 'branch', remote: undefined }];
    const [, own] = ref.startsWith(OWN) ? (/^(.+)\/checkpoints$/.exec(ref.slice(OWN.length)) ?? []) : [];
    const remote = own ?? OF_REMOTE.exec(ref)?.[1];
    if (remote === undefined) return [];
    const isNameless = own !== undefined && /^[0-9a-f]{12}$/.test(own);
    const what = own === undefined ? 'branch' : 'ref';
    return [{ ref, tip, what, remote: isNameless ? undefined : remote }];
  });
}
