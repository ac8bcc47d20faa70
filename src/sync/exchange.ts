import { type ObjectId, parseObjectId } from '../base/ids.ts';
import { REMOTE_REFS, type Travelling, trackingOf } from '../checkpoint/remote-refs.ts';
import type { BoundedOutput } from '../git/object/bounded.ts';
import { readRefs, readRevisions, updateRefs } from '../git/ref/refs.ts';
import type { SyncPlace } from './destination.ts';
import { type Answer, explain, type Failure, type Line, run } from './transport.ts';

const PUSH = ['push', '--no-verify', '--porcelain', '--no-follow-tags', '--recurse-submodules=no'];

/** Moves refs of the remote, all with one push and each for itself; never by force. By ref why not, or that it did. */
export async function pushRefs(
  line: Line,
  tips: ReadonlyMap<Travelling, ObjectId>,
): Promise<Map<Travelling, Failure | undefined>> {
  const specs = [...tips].map(([what, tip]) => `${tip}:${REMOTE_REFS[what]}`);
  const output = await run(line, [...PUSH, '--', line.to.target, ...specs]);
  return new Map([...tips.keys()].map((what) => [what, judge(output, REMOTE_REFS[what], line)]));
}

/** Takes a ref away from one place, if it is still where it was. */
export async function removeRef(
  line: Line,
  place: SyncPlace,
  what: Travelling,
  tip: ObjectId,
): Promise<Failure | undefined> {
  const ref = REMOTE_REFS[what];
  const lease = `--force-with-lease=${ref}:${tip}`;
  const output = await run(line, [...PUSH, lease, '--', place.name, `:${ref}`]);
  return output.code === 0 ? undefined : explain(output, line.limitMs);
}

/** What became of one ref: git prints a row for each, at each place. */
function judge(output: BoundedOutput, ref: string, { to, limitMs }: Line): Failure | undefined {
  if (output.code === 0) return undefined;
  const rows = output.stdout.split('\n').filter((row) => row.split('\t')[1]?.endsWith(`:${ref}`));
  const isDone = rows.length >= to.places.length && !rows.some((row) => row.startsWith('!'));
  if (isDone && !output.timedOut) return undefined;
  return explain({ ...output, stdout: rows.join('\n') }, limitMs);
}

/**
 * Fetches refs of a place into their tracking refs; `undefined` for one that is not there, and then there is no such ref here
 * either. One process, where all are there and sound; what is not keeps nothing else away.
 */
export async function fetchRefs(
  line: Line,
  place: SyncPlace,
  wanted: readonly Travelling[],
): Promise<Map<Travelling, Answer<ObjectId | undefined>>> {
  if (wanted.length === 0) return new Map();
  const specs = wanted.map((what) => `+${REMOTE_REFS[what]}:${trackingOf(place.trackingRef, what)}`);
  const options = [
    ...['--quiet', '--no-tags', '--no-prune', '--no-write-fetch-head', '--no-auto-maintenance'],
    '--no-recurse-submodules',
    // The remote's own refspec may lead to our branches (`+refs/heads/*:refs/heads/*`), and git follows it as well.
    '--refmap=',
  ];
  // What no git would have written is refused at the door: it would make `git fsck` complain ever after.
  const fsck = ['-c', 'fetch.fsckObjects=true'];
  const output = await run(line, [...fsck, 'fetch', ...options, '--', place.name, ...specs]);
  const isMissing = output.code !== 0 && /couldn't find remote ref/i.test(output.stderr);
  const failure = output.code === 0 || isMissing ? undefined : explain(output, line.limitMs);
  if (wanted.length > 1 && (isMissing || failure?.code === 'unsound')) {
    const each = new Map<Travelling, Answer<ObjectId | undefined>>();
    for (const what of wanted)
      for (const [key, answer] of await fetchRefs(line, place, [what])) each.set(key, answer);
    return each;
  }
  if (failure) return new Map(wanted.map((what) => [what, { failure }]));
  return readFetched(line, place, wanted, isMissing);
}

/** A ref outside of `refs/heads` may be anything: only a commit is one of ours. */
function readFetched(
  { git }: Line,
  place: SyncPlace,
  wanted: readonly Travelling[],
  isMissing: boolean,
): Map<Travelling, Answer<ObjectId | undefined>> {
  const refs = wanted.map((what) => trackingOf(place.trackingRef, what));
  const found = readRevisions(git, [...refs, ...refs.map((ref) => `${ref}^{commit}`)]);
  return new Map(
    wanted.map((what, at): [Travelling, Answer<ObjectId | undefined>] => {
      const ref = refs[at] as string;
      const [tip, commit] = [found.get(ref), found.get(`${ref}^{commit}`)];
      if (!isMissing && tip !== undefined && tip === commit) return [what, { value: tip }];
      if (tip) updateRefs(git, [{ ref, from: tip, to: undefined }]);
      if (isMissing || tip === undefined) return [what, { value: undefined }];
      return [what, { failure: { code: 'unsound', reason: `its ${REMOTE_REFS[what]} is no commit` } }];
    }),
  );
}

/** Where each thing is, as a place says: what it does not have is left out. */
export type There = ReadonlyMap<Travelling, ObjectId>;

/** Asks each place of a destination for all that travels. One process for each. */
export async function askRefs(line: Line): Promise<Answer<There[]>> {
  const there: There[] = [];
  for (const { name } of line.to.places) {
    const output = await run(line, ['ls-remote', '--refs', '--', name, ...Object.values(REMOTE_REFS)]);
    if (output.code !== 0) return { failure: explain(output, line.limitMs) };
    const rows = new Map(
      output.stdout.split('\n').map((row) => row.split('\t').reverse() as [string, string]),
    );
    const tips = Object.entries(REMOTE_REFS).flatMap(([what, ref]): [Travelling, ObjectId][] => {
      const tip = parseObjectId(rows.get(ref));
      return tip ? [[what as Travelling, tip]] : [];
    });
    there.push(new Map(tips));
  }
  return { value: there };
}

/**
 * Makes what we know of a place true, as it has just said it: fetches what is elsewhere than we believed, and forgets what is gone.
 *
 * @returns of what is there, where it is now, or why it could not be had
 */
export async function followRefs(
  line: Line,
  place: SyncPlace,
  there: There,
  wanted: readonly Travelling[],
): Promise<Map<Travelling, Answer<ObjectId | undefined>>> {
  const { git } = line;
  const refs = new Map(wanted.map((what) => [what, trackingOf(place.trackingRef, what)]));
  const known = readRefs(git, [...refs.values()]);
  const at = (what: Travelling) => known.get(refs.get(what) as string);
  const gone = wanted.flatMap((what) => {
    const from = at(what);
    return from && !there.has(what) ? { ref: refs.get(what) as string, from, to: undefined } : [];
  });
  if (gone.length > 0) updateRefs(git, gone);
  const present = wanted.filter((what) => there.has(what));
  const fetched = await fetchRefs(
    line,
    place,
    present.filter((what) => at(what) !== there.get(what)),
  );
  return new Map(present.map((what) => [what, fetched.get(what) ?? { value: at(what) }]));
}
