import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import type { SessionId } from '../../base/ids.ts';
import { isObject, type JsonObject } from '../../base/text/json.ts';
import { physicalPath } from '../../git/locate.ts';
import { withSessionLock } from '../../session/lock.ts';
import {
  type Document,
  isJsonFile,
  parseDocument,
  readDocument,
  renderDocument,
  unreadable,
} from '../config/document.ts';
import { replaceTable } from '../config/toml-edit.ts';
import {
  below,
  type ContextWarning,
  describeValue,
  inFile,
  type Warn,
  warnOfGone,
} from '../config/warning.ts';
import { ContextPreset, type ContextPresetDict } from './preset.ts';

/** Presets of a repository, or of its user everywhere. */
export type PresetScope = 'project' | 'global';

export interface ContextPresetManagerOptions {
  /** The root of the repository; without it there are global presets only. */
  readonly root?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
}

export interface ReloadedPresets {
  readonly presets: ReadonlyMap<string, ContextPreset>;
  /** What is not used as it stands in the files, and each file of a preset that is gone. */
  readonly warnings: readonly ContextWarning[];
}

const LOCK = 'context' as SessionId;
/** A name that stands in both is that of the second. */
const NAMES = ['context.json', 'context.toml'] as const;

/**
 * Keeps presets in `context.toml` (or `context.json`) of two folders: `<root>/.entire`, and `$XDG_CONFIG_HOME/entire`, else
 * `~/.config/entire`. A preset of the project takes the place of a global one with its name.
 */
export class ContextPresetManager {
  private readonly root: string | undefined;
  private readonly folders: Readonly<Record<PresetScope, string | undefined>>;
  private current: ContextPreset | undefined;

  constructor({ root, env = process.env }: ContextPresetManagerOptions = {}) {
    this.root = root;
    this.folders = {
      project: root === undefined ? undefined : join(root, '.entire'),
      global: join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'entire'),
    };
  }

  /** The preset that was applied last. */
  get active(): ContextPreset | undefined {
    return this.current;
  }

  /** All presets by name, read anew. @throws {EntireError} `CONFIG_UNREADABLE`, `UNSUPPORTED` for a later version */
  loadAll(warn: Warn = () => {}): Map<string, ContextPreset> {
    const presets = new Map<string, ContextPreset>();
    for (const scope of ['global', 'project'] as const) {
      for (const file of this.files(scope)) {
        if (this.isLinked(scope, file)) inFile(warn, file)({ key: '', message: NOT_FOLLOWED });
        const document = this.read(scope, file);
        for (const [name, value] of Object.entries(document ? presetsOf(document) : {}))
          presets.set(name, ContextPreset.fromDict(name, value, below(inFile(warn, file), keyOf(name))));
      }
    }
    return presets;
  }

  /**
   * {@link loadAll}, with a warning for each file of a preset that is gone. Paths are below the root of the repository, else
   * below the current folder. The active preset is what it is now, and none when it was deleted.
   */
  reload(): ReloadedPresets {
    const warnings: ContextWarning[] = [];
    const warn: Warn = (warning) => warnings.push(warning);
    const presets = this.loadAll(warn);
    const folder = this.root ?? process.cwd();
    for (const { name, files, screenshots } of presets.values()) {
      const paths = files.map((file) => file.path);
      warnOfGone(folder, 'files', paths, below(warn, keyOf(name)));
      warnOfGone(folder, 'screenshots', screenshots, below(warn, keyOf(name)));
    }
    this.current = this.current && presets.get(this.current.name);
    return { presets, warnings };
  }

  /**
   * Makes a preset the active one. @returns it @throws {EntireError} `NOT_FOUND`, and as {@link loadAll}
   */
  applyPreset(name: string): ContextPreset {
    const preset = this.loadAll().get(name);
    if (preset === undefined) throw notFound(name);
    this.current = preset;
    return preset;
  }

  /**
   * Keeps a preset, in place of one with its name in that scope. What else the file holds stays.
   *
   * @returns the file that it stands in
   * @throws {EntireError} `CONFIG_UNREADABLE`, `UNSUPPORTED`, `LOCKED`; the file is as it was then
   */
  async savePreset(preset: ContextPreset, scope: PresetScope = this.usualScope()): Promise<string> {
    if (preset.name === '') throw new EntireError('BAD_FLAGS', 'a preset needs a name');
    return this.changing(scope, (files) => {
      const file =
        files.find((it) => this.hasPreset(scope, it, preset.name)) ?? files.find(exists) ?? files[0];
      this.write(scope, file as string, preset.name, preset);
      return file as string;
    });
  }

  /**
   * Removes a preset: of the scope, else that of the project, or the global one where the project has none.
   *
   * @throws {EntireError} `NOT_FOUND`, and as {@link savePreset}
   */
  async deletePreset(name: string, scope?: PresetScope): Promise<void> {
    for (const it of scope ? [scope] : (['project', 'global'] as const)) {
      if (!this.files(it).some((file) => this.hasPreset(it, file, name))) continue;
      return this.changing(it, (files) => {
        for (const file of files.filter((at) => this.hasPreset(it, at, name)))
          this.write(it, file, name, undefined);
      });
    }
    throw notFound(name);
  }

  /** Where the preset of a name comes from; `undefined` for none. @throws as {@link loadAll} */
  scopeOf(name: string): PresetScope | undefined {
    const isIn = (scope: PresetScope): boolean =>
      this.files(scope).some((file) => this.hasPreset(scope, file, name));
    return isIn('project') ? 'project' : isIn('global') ? 'global' : undefined;
  }

  private usualScope(): PresetScope {
    return this.root === undefined ? 'global' : 'project';
  }

  private files(scope: PresetScope): string[] {
    const folder = this.folders[scope];
    return folder === undefined ? [] : NAMES.map((name) => join(folder, name));
  }

  /** Two processes that save at once keep both presets. */
  private changing<T>(scope: PresetScope, body: (newestFirst: readonly string[]) => T): Promise<T> {
    const folder = this.folders[scope];
    if (folder === undefined)
      throw new EntireError('NOT_A_REPO', 'presets of a project need a repository', {
        hint: 'Save it as a global one.',
      });
    if (scope === 'project' && isLink(folder))
      throw new EntireError('WRITE_FAILED', '.entire is a symbolic link.', {
        hint: 'Replace it by a folder.',
      });
    const lockFolder = scope === 'project' ? join(folder, 'tmp') : folder; // `tmp` is not committed
    return withSessionLock(lockFolder, LOCK, () => body(this.files(scope).reverse()));
  }

  /** What stands in a file. Who writes a repository does not choose which other file of the machine is read. */
  private read(scope: PresetScope, file: string): Document | undefined {
    return this.isLinked(scope, file) ? undefined : readDocument(file);
  }

  private isLinked(scope: PresetScope, file: string): boolean {
    return scope === 'project' && (isLink(dirname(file)) || isLink(file)) && exists(file);
  }

  private hasPreset(scope: PresetScope, file: string, name: string): boolean {
    const document = this.read(scope, file);
    return document !== undefined && Object.hasOwn(presetsOf(document), name);
  }

  private write(scope: PresetScope, file: string, name: string, preset: ContextPreset | undefined): void {
    const document = this.read(scope, file) ?? { file, text: '', values: {} };
    // People keep their own settings elsewhere, and link to them; what is in a repository is not followed.
    const target = scope === 'global' ? physicalPath(file) : file;
    writeFileAtomic(target, withPreset(document, name, preset?.toDict()), { mode: 0o644, fsync: true });
  }
}

const keyOf = (name: string): string => `presets.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}`;

const exists = (file: string): boolean => disk.statSync(file, { throwIfNoEntry: false }) !== undefined;

const isLink = (path: string): boolean =>
  disk.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

const NOT_FOLLOWED = 'is a link, or behind one, which is not followed; its presets are not used.';

const notFound = (name: string): EntireError =>
  new EntireError('NOT_FOUND', `there is no preset ${JSON.stringify(name)}`, {
    hint: 'Look at which there are, or save it first.',
  });

const VERSION = 1;

/**
 * The presets of a file, by name. One without a version was made by hand, and is of version 1.
 *
 * @throws {EntireError} `UNSUPPORTED` for one of a later version, `CONFIG_UNREADABLE` for what is no such file
 */
function presetsOf({ file, values }: Document): JsonObject {
  const version = values.version ?? VERSION;
  if (!Number.isSafeInteger(version) || (version as number) < 1)
    throw unreadable(file, `\`version\` is ${describeValue(version)}, which is not a whole number from 1`);
  if ((version as number) > VERSION) {
    const message = `${file} is of version ${version}; this release knows version ${VERSION}`;
    throw new EntireError('UNSUPPORTED', message, { hint: 'Update entire. The file was not changed.' });
  }
  const presets = values.presets ?? {};
  if (!isObject(presets))
    throw unreadable(file, `\`presets\` is ${describeValue(presets)}, which is not a table`);
  return presets;
}

/**
 * The text of a file after a preset was put into it, or taken out of it (`undefined`). Everything else stays: in TOML byte
 * for byte, with its comments, unless presets are written inline there; then it has the same values.
 *
 * @throws {EntireError} as {@link presetsOf}
 */
function withPreset(document: Document, name: string, preset: ContextPresetDict | undefined): string {
  const { file, text, values } = document;
  const others = Object.entries(presetsOf(document)).filter(([key]) => key !== name);
  const entry = preset === undefined ? [] : [[name, preset] as const];
  const wanted = { version: VERSION, ...values, presets: Object.fromEntries([...others, ...entry]) };
  const rendered = renderDocument(wanted, file);
  if (isJsonFile(file)) return rendered;
  const table = preset === undefined ? '' : renderDocument({ presets: { [name]: preset } }, file);
  const head = values.version === undefined ? `version = ${VERSION}\n` : '';
  const edited = replaceTable(head + text, ['presets', name], table);
  return hasSameValues(edited, rendered, file) ? edited : rendered;
}

function hasSameValues(one: string, other: string, file: string): boolean {
  const none = parseDocument('[presets]', file); // a table as the parser makes them
  const valuesOf = (text: string) => ({ ...none, ...parseDocument(text, file) });
  try {
    return isDeepStrictEqual(valuesOf(one), valuesOf(other));
  } catch {
    return false; // the edit made no TOML
  }
}
