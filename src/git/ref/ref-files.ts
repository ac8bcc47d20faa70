import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { readUserText } from '../../base/file/small-file.ts';
import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import type { Repo } from '../locate.ts';

/**
 * What refs point at, from the files git keeps them in: no process, where asking git takes 4 ms. `undefined` where files do not tell all
 * of it: refs in tables, a list of packed ones that is long, a ref that names another or says nothing. Then git is to be asked.
 *
 * @param patterns a name that ends in `/` stands for all refs below it
 * @see https://git-scm.com/docs/gitrepository-layout
 */
export function readRefFiles(
  { commonDir }: Pick<Repo, 'commonDir'>,
  patterns: readonly string[],
): Map<string, ObjectId> | undefined {
  const isFolder = (name: string): boolean => name.endsWith('/');
  try {
    if (disk.existsSync(join(commonDir, 'reftable'))) return undefined;
    const names = patterns.flatMap((name) => (isFolder(name) ? listBelow(commonDir, name) : name));
    // In this order: git packs a ref before it takes its file away.
    const loose = names.flatMap((name): Array<[string, ObjectId]> => {
      const text = readUserText(join(commonDir, name), 'git');
      return text === undefined ? [] : [[name, toOid(text.trim())]];
    });
    const isAsked = (ref: string): boolean =>
      patterns.some((name) => (isFolder(name) ? ref.startsWith(name) : ref === name));
    return new Map([...readPacked(commonDir).filter(([ref]) => isAsked(ref)), ...loose]);
  } catch {
    return undefined; // git has words for what is wrong
  }
}

/** Those that have a file of their own. @throws where something else lies there */
function listBelow(commonDir: string, folder: string): string[] {
  const place = join(commonDir, folder);
  if (!disk.existsSync(place)) return [];
  return disk.readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}${entry.name}`;
    if (entry.isDirectory()) return listBelow(commonDir, `${name}/`);
    if (!entry.isFile()) throw new Error(`${name} is not a file`);
    return name.endsWith('.lock') ? [] : [name];
  });
}

/** Longer lists git searches better. */
const MOST_PACKED_BYTES = 256 * 1024;

function readPacked(commonDir: string): Array<[ref: string, oid: ObjectId]> {
  const file = join(commonDir, 'packed-refs');
  if (!disk.existsSync(file)) return [];
  if (disk.statSync(file).size > MOST_PACKED_BYTES) throw new Error('the list of packed refs is long');
  const lines = (readUserText(file, 'git') ?? '').split('\n');
  return lines.flatMap((line): Array<[string, ObjectId]> => {
    if (line === '' || line.startsWith('#') || line.startsWith('^')) return [];
    const at = line.indexOf(' ');
    return [[line.slice(at + 1), toOid(line.slice(0, at))]];
  });
}

function toOid(text: string): ObjectId {
  const oid = parseObjectId(text);
  if (!oid) throw new Error('a ref that is not an object');
  return oid;
}
