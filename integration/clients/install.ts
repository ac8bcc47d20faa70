import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The version that `spec/agents-today.md` describes. Not a devDependency: its licence is not a permissive one. */
const VERSION = '2.1.330';

const cache = resolve(import.meta.dirname, '../../.cache/clients');

/**
 * Ensures that the pinned Claude Code client lies in `.cache/clients` and returns the path of its executable. The
 * platform package is the native binary itself: it needs no newer Node and no install script.
 *
 * @throws Error naming the command that failed when the client is missing and the registry cannot be reached.
 */
export function ensureClaudeCode(): string {
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
  const dir = join(cache, 'node_modules', name);
  const binary = join(dir, process.platform === 'win32' ? 'claude.exe' : 'claude');
  if (installedVersion(dir) === VERSION && existsSync(binary)) return binary;
  const spec = `${name}@${VERSION}`;
  const args = [
    'install',
    '--prefix',
    cache,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    spec,
  ];
  try {
    execFileSync('npm', args, { stdio: 'pipe', timeout: 300_000 });
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    throw new Error(
      `Could not install the client that these tests drive: is the npm registry reachable, and does it offer ` +
        `${spec}? Run it once by hand:\n  npm ${args.join(' ')}\n${stderr?.toString().trim() || message}`,
      { cause: error },
    );
  }
  if (!existsSync(binary)) throw new Error(`${spec} holds no executable at ${binary}`);
  return binary;
}

function installedVersion(dir: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { version?: string }).version;
  } catch {
    return undefined; // not installed yet
  }
}
