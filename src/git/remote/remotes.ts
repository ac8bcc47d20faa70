import { type Git, runGit } from '../run.ts';

/** A remote as git's configuration has it. */
export interface Remote {
  readonly name: string;
  /** Where it is fetched from, and where it is pushed to, as written there. */
  readonly urls: readonly string[];
  readonly pushUrls: readonly string[];
  /** Everything is pushed to it anyway. */
  readonly isMirror: boolean;
  /** What a push without refs pushes. */
  readonly pushRefs: readonly string[];
}

/** What the configuration says about remotes, all of it from one process. */
export interface RemoteConfig {
  readonly remotes: readonly Remote[];
  /** `remote.pushDefault` */
  readonly pushDefault: string | undefined;
  /** `push.default` */
  readonly pushMode: string | undefined;
  /** `core.sshCommand` */
  readonly sshCommand: string | undefined;
  /** `branch.<name>.remote` and `branch.<name>.pushRemote` */
  readonly branches: ReadonlyMap<string, { readonly remote?: string; readonly pushRemote?: string }>;
}

/** The keys of {@link RemoteConfig}, for `git config --get-regexp`. */
export const REMOTE_KEYS =
  '^(remote\\..*\\.(url|pushurl|mirror|push)|branch\\..*\\.(remote|pushremote)|remote\\.pushdefault|push\\.default|core\\.sshcommand)$';

export function readRemoteConfig(git: Git): RemoteConfig {
  const { stdout } = runGit(git, ['config', '-z', '--get-regexp', REMOTE_KEYS], { okCodes: [0, 1] });
  return parseRemoteConfig(stdout.toString('utf8'));
}

/** Whether git fetches objects from a remote when somebody looks at them. */
export const isPartialClone = (git: Git): boolean =>
  runGit(git, ['config', '--get-regexp', '^remote\\..*\\.promisor$'], { okCodes: [0, 1] }).stdout.includes(
    'true',
  );

/** Reads `git config -z` output: `<key>\n<value>\0`, later entries win. */
export function parseRemoteConfig(output: string): RemoteConfig {
  const remotes = new Map<
    string,
    { urls: string[]; pushUrls: string[]; isMirror: boolean; pushRefs: string[] }
  >();
  const branches = new Map<string, { remote?: string; pushRemote?: string }>();
  const single = new Map<string, string>();
  for (const entry of output.split('\0').filter(Boolean)) {
    const [key = '', ...rest] = entry.split('\n');
    const value = rest.join('\n');
    const [, section, name, variable] = /^(remote|branch)\.(.+)\.([a-z]+)$/.exec(key) ?? [];
    if (!section || name === undefined) {
      single.set(key, value);
    } else if (section === 'branch') {
      const branch = branches.get(name) ?? {};
      branches.set(name, { ...branch, [variable === 'remote' ? 'remote' : 'pushRemote']: value });
    } else {
      const remote = remotes.get(name) ?? { urls: [], pushUrls: [], isMirror: false, pushRefs: [] };
      remotes.set(name, remote);
      if (variable === 'url') remote.urls.push(value);
      if (variable === 'pushurl') remote.pushUrls.push(value);
      if (variable === 'push') remote.pushRefs.push(value);
      if (variable === 'mirror') remote.isMirror = /^(true|yes|on|1|)$/i.test(value);
    }
  }
  return {
    remotes: [...remotes]
      .filter(([, { urls }]) => urls.length > 0)
      .map(([name, remote]) => ({ name, ...remote })),
    pushDefault: single.get('remote.pushdefault'),
    pushMode: single.get('push.default'),
    sshCommand: single.get('core.sshcommand'),
    branches,
  };
}

/**
 * Where a plain `git push` of a branch goes: its own push remote, the default one, the one it follows, `origin`, or
 * the only one there is.
 *
 * @param branch short name; `undefined` where HEAD is detached
 * @see https://git-scm.com/docs/git-config#Documentation/git-config.txt-branchltnamegtpushRemote
 */
export function usualRemote(config: RemoteConfig, branch: string | undefined): Remote | undefined {
  const own = branch === undefined ? undefined : config.branches.get(branch);
  const name = own?.pushRemote ?? config.pushDefault ?? own?.remote;
  const find = (wanted: string | undefined) => config.remotes.find((remote) => remote.name === wanted);
  if (name !== undefined && name !== '.') return find(name) ?? findByUrl(config, name);
  return find('origin') ?? (config.remotes.length === 1 ? config.remotes[0] : undefined);
}

/** The remote that was named to git: by its name, or by one of its URLs. */
export function findRemote(config: RemoteConfig, named: string): Remote | undefined {
  return config.remotes.find(({ name }) => name === named) ?? findByUrl(config, named);
}

function findByUrl({ remotes }: RemoteConfig, url: string): Remote | undefined {
  const wanted = comparable(url);
  const matches = (remote: Remote) =>
    (remote.pushUrls.length > 0 ? remote.pushUrls : remote.urls).some(
      (known) => comparable(known) === wanted,
    );
  return remotes.find(matches);
}

/** The same place, with or without a slash, `.git` or somebody's name. */
const comparable = (url: string): string =>
  withoutCredentials(url)
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');

/**
 * A URL without what may be a secret in it: user and password of a web address, any password, the query. The last `@` before
 * the path ends them: some passwords have one in them.
 */
export function withoutCredentials(url: string): string {
  return url
    .replace(/^(https?:\/\/)[^/]*@/i, '$1')
    .replace(/^(\w[\w+.-]*:\/\/[^/@:]*):[^/]*@/, '$1@')
    .replace(/^(\w[\w+.-]*:\/\/[^?#]*)[?#].*$/s, '$1');
}

/** {@link withoutCredentials} for every URL in what git said. */
export const hideCredentials = (text: string): string =>
  text.replace(/\w[\w+.-]*:\/\/[^\s'"]+/g, (url) => withoutCredentials(url));
