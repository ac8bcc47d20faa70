import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A client in the cache, or why it cannot be had. */
export type Installation = { readonly command: readonly string[] } | { readonly reason: string };

/** What is asked of the registry. No devDependencies: not all of their licences are permissive ones. */
export interface Wanted {
  /** Folder in the cache. */
  readonly agent: string;
  /** Package name → the one version that is meant. The first is the client. */
  readonly packages: Readonly<Record<string, string>>;
  /** What is started: files below `node_modules`. */
  readonly command: readonly string[];
}

const cache = resolve(import.meta.dirname, '../../.cache/clients');
const asked = new Map<string, Installation>();

/** The part of a package name that says for which machine its executable is. */
export const PLATFORM = `${process.platform}-${process.arch}`;

/** Ensures that the pinned packages of a client lie in `.cache/clients/<agent>`. No install script of theirs runs. */
export function ensureInstalled(wanted: Wanted): Installation {
  const known = asked.get(wanted.agent) ?? install(wanted);
  asked.set(wanted.agent, known);
  return known;
}

function install({ agent, packages, command }: Wanted): Installation {
  const dir = join(cache, agent);
  const modules = join(dir, 'node_modules');
  const files = command.map((file) => join(modules, file));
  const isComplete = () =>
    files.every((file) => existsSync(file)) &&
    Object.entries(packages).every(([name, version]) => installedVersion(join(modules, name)) === version);
  if (isComplete()) return { command: files };
  const specs = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const flags = ['--prefix', dir, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  try {
    execFileSync('npm', ['install', ...flags, ...specs], { stdio: 'pipe', timeout: 300_000 });
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    return { reason: `npm could not install ${specs.join(' ')}: ${stderr?.toString().trim() || message}` };
  }
  return isComplete()
    ? { command: files }
    : { reason: `npm installed ${specs.join(' ')}, but they hold no ${command.join(' ')}` };
}

function installedVersion(dir: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { version?: string }).version;
  } catch {
    return undefined; // not installed yet
  }
}
