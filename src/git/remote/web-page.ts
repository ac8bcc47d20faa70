/** Services whose web pages of commits we know: what their hosts are called, and where a commit stands below a repository. */
const SERVICES: readonly { readonly host: RegExp; readonly below: string }[] = [
  { host: /^github\.|\.github\.com$/, below: 'commit' }, // also GitHub Enterprise, as it is usually named
  { host: /(^|\.)gitlab\./, below: '-/commit' },
  { host: /^bitbucket\.org$/, below: 'commits' },
  { host: /(^|\.)(codeberg|gitea|forgejo)\./, below: 'commit' },
  { host: /^git\.sr\.ht$/, below: 'commit' },
];

/** Where those take SSH on the port of HTTPS. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};

/**
 * The web page of a commit, by the URL of a remote; `undefined` where it is no service that we know. What the URL has of names and passwords does
 * not come along, and every character that is not of a URL is percent-encoded.
 */
export function commitPage(remoteUrl: string, oid: string): string | undefined {
  const place = parsePlace(remoteUrl);
  if (!place || !/^[0-9a-f]{40,64}$/.test(oid)) return undefined;
  const service = SERVICES.find(({ host }) => host.test(place.host));
  const names = place.path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter(Boolean);
  if (!service || names.length < 2 || names.some((name) => name === '.' || name === '..')) return undefined;
  const path = names.map((name) => encodeURIComponent(name).replace('%7E', '~')).join('/');
  return `https://${place.host}${place.port}/${path}/${service.below}/${oid}`;
}

interface Place {
  readonly host: string;
  /** `:8443`, or empty. */
  readonly port: string;
  readonly path: string;
}

function parsePlace(url: string): Place | undefined {
  const [, scpHost, scpPath] = /^(?:[^@/:\s]+@)?([A-Za-z0-9.-]+):(?!\/\/)(.+)$/s.exec(url) ?? [];
  if (scpHost && scpPath !== undefined) return { host: nameOf(scpHost), port: '', path: scpPath };
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return undefined; // a path, or a word that git is told to replace
  }
  if (!/^(https?|ssh|git|git\+ssh):$/.test(parsed.protocol)) return undefined;
  const port = parsed.protocol === 'https:' && parsed.port ? `:${parsed.port}` : '';
  return { host: nameOf(parsed.hostname), port, path: decode(parsed.pathname) };
}

const nameOf = (host: string): string => OTHER_NAMES[host.toLowerCase()] ?? host.toLowerCase();

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // percent signs of its own
  }
}
