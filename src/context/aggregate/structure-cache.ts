import { join } from 'node:path';
import { now } from '../../base/clock.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { createHash, sha256Of } from '../../base/hash.ts';
import { asObject, isObject, parseJson } from '../../base/text/json.ts';
import { type Language, languageOf } from '../skeleton/language.ts';
import { readStructure, type SourceReading } from '../skeleton/read-structure.ts';
import { type SourceStructure, STRUCTURE_VERSION } from '../skeleton/structure.ts';

/** Keeps what was read of source files, so that what has not changed is not parsed again. */
export interface StructureCache {
  /** What was kept under a key of {@link structureKey}; `undefined` where there is nothing, or nothing that is whole. */
  get(key: string): SourceStructure | undefined;
  /** Keeps a structure. A cache that cannot, does not: nothing depends on it. */
  put(key: string, structure: SourceStructure): void;
}

/** What a structure is kept under: it depends on the text and its language, and on how we read it. 64 hex digits. */
export const structureKey = (language: Language, text: string): string =>
  createHash('sha256').update(`${STRUCTURE_VERSION}\0${language}\0`).update(text).digest('hex');

/** As {@link readStructure}, but a text that the cache knows is not parsed. What could not be read is not kept. */
export async function readStructureCached(
  fileName: string,
  text: string,
  cache: StructureCache | undefined,
): Promise<SourceReading> {
  const language = languageOf(fileName, text);
  if (language === undefined || cache === undefined) return readStructure(fileName, text);
  const key = structureKey(language, text);
  const known = cache.get(key);
  if (known) return { status: 'read', structure: known };
  const reading = await readStructure(fileName, text);
  if (reading.status === 'read') cache.put(key, reading.structure);
  return reading;
}

/** A cache for as long as the process runs, of the last `limit` structures that were asked for. */
export class InMemoryStructureCache implements StructureCache {
  private readonly structures = new Map<string, SourceStructure>();
  private readonly limit: number;

  constructor(limit = 10_000) {
    this.limit = limit;
  }

  get(key: string): SourceStructure | undefined {
    const found = this.structures.get(key);
    if (found) this.keep(key, found);
    return found;
  }

  put(key: string, structure: SourceStructure): void {
    this.keep(key, structure);
    for (const oldest of this.structures.keys()) {
      if (this.structures.size <= this.limit) break;
      this.structures.delete(oldest);
    }
  }

  /** A map has its keys in the order in which they came: the newest last. */
  private keep(key: string, structure: SourceStructure): void {
    this.structures.delete(key);
    this.structures.set(key, structure);
  }
}

/**
 * A cache in a folder, which is made when it is needed: one file for each structure, `<key>.json`, with a digest of what it
 * holds. Files that are broken, and those of other versions, count as none; a folder that cannot be written to is
 * an empty cache.
 */
export class DiskStructureCache implements StructureCache {
  private readonly folder: string;
  private hasGrown = false;

  constructor(folder: string) {
    this.folder = folder;
  }

  get(key: string): SourceStructure | undefined {
    try {
      const { version, sha256, structure } = asObject(
        parseJson(readOwnText(this.fileOf(key), 'record') ?? ''),
      );
      const isWhole =
        version === STRUCTURE_VERSION &&
        isObject(structure) &&
        sha256Of(JSON.stringify(structure)) === sha256;
      return isWhole ? (structure as unknown as SourceStructure) : undefined;
    } catch {
      return undefined; // not there, or not to be read: then it is read from the source
    }
  }

  put(key: string, structure: SourceStructure): void {
    const entry = { version: STRUCTURE_VERSION, sha256: sha256Of(JSON.stringify(structure)), structure };
    try {
      writeFileAtomic(this.fileOf(key), `${JSON.stringify(entry)}\n`);
      this.hasGrown = true;
    } catch {
      // the disk is full, or the folder is not ours: the next run parses again
    }
  }

  /**
   * Removes what was put there longer ago than `maxAgeMs`, 30 days unless told otherwise: what is still asked for is parsed once
   * again. Looks only where this object has put something, so that the folder does not grow without end. Never throws.
   */
  dropOld(maxAgeMs = MAX_AGE_MS): void {
    if (!this.hasGrown) return;
    const before = now().getTime() - maxAgeMs;
    for (const name of listNames(this.folder).filter((name) => OWN.test(name))) {
      const file = join(this.folder, name);
      try {
        if (disk.lstatSync(file).mtimeMs < before) disk.rmSync(file);
      } catch {
        // another process was first, or the folder is not ours
      }
    }
  }

  private readonly fileOf = (key: string): string => join(this.folder, `${key}.json`);
}

const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
/** What we put there, and what a writer that was killed left of it. */
const OWN = /^[0-9a-f]{64}\.json(?:\..+\.tmp)?$/;
