import { findCallingGits } from '../caller.ts';

/** What the command line of a `git push` says that git does not tell its hook. */
export interface PushArguments {
  readonly dryRun: boolean;
  /** Every branch goes: `--all`, `--branches` or `--mirror`. */
  readonly everything: boolean;
  /** And all other refs: `--mirror`. */
  readonly mirror: boolean;
  /** Nothing but deletions. */
  readonly deletesOnly: boolean;
  /** As they were typed; without `--delete`. */
  readonly refs: readonly string[];
}

const LONG_OPTIONS = (
  'all atomic branches delete dry-run exec= follow-tags force force-if-includes force-with-lease ipv4 ipv6 mirror ' +
  'porcelain progress prune push-option= quiet receive-pack= recurse-submodules= repo= set-upstream signed tags thin ' +
  'verbose verify'
).split(' ');
const SHORT_OPTIONS: Readonly<Record<string, string>> = { n: 'dry-run', d: 'delete', o: 'push-option' };

/** Reads the arguments that stand after `push`, as git does. */
export function parsePushArguments(args: readonly string[]): PushArguments {
  const found = new Set<string>();
  const words: string[] = [];
  let onlyWords = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string;
    if (onlyWords || !word.startsWith('-') || word === '-') words.push(word);
    else if (word === '--') onlyWords = true;
    else {
      const { names, takesNext } = parseOption(word);
      for (const name of names) found.add(name);
      if (takesNext) at++;
    }
  }
  const refs = words.slice(1);
  const isDeletion = (ref: string) => found.has('delete') || /^\+?:./.test(ref);
  return {
    dryRun: found.has('dry-run') && !found.has('no-dry-run'),
    mirror: found.has('mirror'),
    everything: ['all', 'branches', 'mirror'].some((name) => found.has(name)),
    deletesOnly: refs.length > 0 && refs.every(isDeletion) && !found.has('tags'),
    refs: refs.filter((ref) => !isDeletion(ref)),
  };
}

function parseOption(word: string): { names: string[]; takesNext: boolean } {
  if (word.startsWith('--')) {
    const [typed = '', value] = word.slice(2).split('=', 2);
    const matching = LONG_OPTIONS.filter((option) => option.startsWith(typed));
    const exact = matching.find((option) => option.replace('=', '') === typed);
    const option = exact ?? (matching.length === 1 ? matching[0] : undefined);
    const takesNext = option?.endsWith('=') === true && value === undefined;
    return { names: [option?.replace('=', '') ?? typed], takesNext };
  }
  const names: string[] = [];
  for (let at = 1; at < word.length; at++) {
    const name = SHORT_OPTIONS[word[at] as string];
    if (name) names.push(name);
    if (name === 'push-option') return { names, takesNext: at === word.length - 1 };
  }
  return { names, takesNext: false };
}

/** Of the `git push` that runs this hook; `undefined` where another command does, or nobody can tell. */
export function findPushArguments(callers = findCallingGits()): PushArguments | undefined {
  const push = callers.find(({ name }) => name === 'push');
  return push && parsePushArguments(push.args);
}
