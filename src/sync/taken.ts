import { counted } from '../base/text/text.ts';
import { listShadowBranches, METADATA_REF } from '../checkpoint/shadow-branch.ts';
import { readBranchName } from '../git/commit/commits.ts';
import type { Repo } from '../git/locate.ts';
import { readRefs } from '../git/ref/refs.ts';
import type { PushArguments } from '../git/remote/push-arguments.ts';
import { findRemote, hideCredentials, type RemoteConfig, withoutCredentials } from '../git/remote/remotes.ts';
import type { Git } from '../git/run.ts';
import { isOfOldUrl } from './spoken.ts';
import { hasNews, readTips } from './tips.ts';

interface UserPush {
  readonly git: Git;
  readonly repo: Repo;
  readonly config: RemoteConfig;
  /** What git told the hook: the name of a remote, or a URL. */
  readonly named: string;
  readonly push: PushArguments | undefined;
  readonly what: 'all' | 'temporary';
}

/** How a branch, or another ref of ours, is among what the user's own push sends, by its command line and git's configuration. */
export function findTaken(
  push: PushArguments | undefined,
  config: RemoteConfig,
  named: string,
  branch: string,
): 'named' | 'where-it-is-there' | undefined {
  const remote = findRemote(config, named);
  const refs = push && push.refs.length > 0 ? push.refs : (remote?.pushRefs ?? []);
  const isMatching = refs.includes(':') || (refs.length === 0 && config.pushMode === 'matching');
  // A refspec that begins with `^` leaves the branch out again.
  if (refs.some((ref) => ref.startsWith('^') && means(ref.slice(1), branch))) return undefined;
  const isBranch = branch.startsWith('refs/heads/');
  const isEverything = (isBranch ? push?.everything : push?.mirror) === true || remote?.isMirror === true;
  if (isEverything || refs.some((ref) => takes(ref, branch))) return 'named';
  return isMatching && isBranch ? 'where-it-is-there' : undefined;
}

/** What is deleted is not sent; of patterns the first side says which branches go. */
function takes(ref: string, branch: string): boolean {
  const [from = '', to = ''] = ref.replace(/^\+/, '').split(':');
  return means(from, branch) || (from !== '' && !from.includes('*') && means(to, branch));
}

/** Whether one side of a refspec is a branch, or a pattern that fits it. */
function means(side: string, branch: string): boolean {
  const [first = '', last] = side.split('*', 2);
  const short = branch.startsWith('refs/heads/') ? [branch.slice('refs/heads/'.length)] : [];
  const names = [branch, branch.slice('refs/'.length), ...short];
  return names.some((name) =>
    last === undefined ? name === first : name.startsWith(first) && name.endsWith(last),
  );
}

/** One sentence about branches of ours that a push of the user's takes along, and that are new there; `undefined` without any. */
export function describeTaken(user: UserPush): string | undefined {
  const { git, repo, config, named, push, what } = user;
  const how = (branch: string) => findTaken(push, config, named, branch);
  // No branch of ours goes with most pushes: then git is not asked for any.
  const remote = findRemote(config, named);
  const refs = [...(push?.refs ?? []), ...(remote?.pushRefs ?? [])];
  if (!how(METADATA_REF) && !refs.some((ref) => ref.includes('entire/'))) return undefined;
  const tracking = (ref: string): string =>
    ref.replace('refs/heads/', `refs/remotes/${remote?.name ?? named}/`);
  const url = remote?.urls.map(withoutCredentials).join(' ');
  const place = { name: named, trackingRef: tracking(METADATA_REF), ...(url === undefined ? {} : { url }) };
  const isOld = isOfOldUrl(repo.commonDir, [place]);
  const taken: string[] = [];
  if (what === 'all' && how(METADATA_REF)) {
    const { local, known } = readTips(git, { places: [place], record: 'branch' });
    if (local && hasNews(git, local, isOld ? undefined : known))
      taken.push('the branch entire/checkpoints/v1, which they are on');
  }
  const branches = listShadowBranches(git).filter(({ ref }) => how(ref));
  const there = isOld
    ? new Map()
    : readRefs(
        git,
        branches.map(({ ref }) => tracking(ref)),
      );
  const temporary = branches.filter(({ ref, tip }) => {
    const known = there.get(tracking(ref));
    return known !== tip && (known !== undefined || how(ref) === 'named');
  });
  if (temporary.length > 0)
    taken.push(
      `${counted(temporary.length, 'step branch', 'step branches')} (${temporary[0]?.name}${temporary.length > 1 ? ', …' : ''}), with transcripts and files that were never committed`,
    );
  if (taken.length === 0) return undefined;
  // To a remote that mirrors git pushes no single branch: its URL takes one.
  const to = remote?.isMirror ? withoutCredentials(remote.pushUrls[0] ?? remote.urls[0] ?? named) : named;
  const branch = readBranchName(git, repo.gitDir) ?? 'main';
  return `This push sends session logs: it takes along ${taken.join(', and ')}. To leave them out, name the branches to push, as in \`git push ${hideCredentials(to)} ${branch}\``;
}
