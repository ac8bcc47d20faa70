import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { disk } from '../../base/file/disk.ts';

/** What decides where a manual page is looked for. */
export interface ManualPlace {
  readonly env: NodeJS.ProcessEnv;
  /** The program that runs: the executable, or the script that Node was given. */
  readonly program: string | undefined;
}

/**
 * What `man` is told to show a page: its name, where npm put it where `man` looks; else the file, as in a checkout; `undefined` where there is none,
 * or no `man`.
 */
export function findManual(page: string, { env, program }: ManualPlace): string | undefined {
  const file = `${page}.1`;
  if (!searchPath(env.PATH).some((dir) => disk.existsSync(join(dir, 'man')))) return undefined;
  if (manualFolders(env).some((dir) => disk.existsSync(join(dir, 'man1', file)))) return page;
  return foldersBeside(program)
    .map((dir) => join(dir, file))
    .find((one) => disk.existsSync(one));
}

/**
 * As `man` of Linux and of macOS finds them: what `MANPATH` names, where an empty entry stands for the usual ones, and what lies beside
 * the folders of `PATH`.
 */
function manualFolders({ MANPATH = '', PATH }: NodeJS.ProcessEnv): string[] {
  const usual = searchPath(PATH).flatMap((dir) => [join(dir, '../share/man'), join(dir, '../man')]);
  if (MANPATH === '') return usual;
  return MANPATH.split(delimiter).flatMap((dir) => (dir === '' ? usual : [dir]));
}

const searchPath = (path = ''): string[] => path.split(delimiter).filter(isAbsolute);

/** Where a package has its pages: the Node build and that of a checkout, and an executable in the package of its platform. */
function foldersBeside(program: string | undefined): string[] {
  if (program === undefined || !isAbsolute(program)) return [];
  const dir = dirname(program);
  return [join(dir, 'man'), join(dir, '../../../dist/man'), join(dir, '../../entire/dist/man')];
}
