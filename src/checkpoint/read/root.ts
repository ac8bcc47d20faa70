import { describeJson, isObject, parseJson } from '../../base/text/json.ts';

/** What a root `metadata.json` says, as far as it makes sense. */
export interface StoredRoot {
  /** Numbers of the sessions it lists; `undefined` when it lists none, as before there were slots. */
  readonly sessions: readonly number[] | undefined;
  readonly filesTouched: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Reads a root `metadata.json`, whoever wrote it. Recorded paths count by their end, `<number>/<file>`: some writers put
 * the folder in front twice.
 *
 * @param dir the checkpoint's folder
 */
export function parseRoot(json: string, dir: string): StoredRoot {
  const value = parseJson(json);
  if (!isObject(value))
    return { sessions: undefined, filesTouched: [], problems: ['metadata.json is not a JSON object'] };
  const files = Array.isArray(value.files_touched) ? value.files_touched : [];
  const filesTouched = files.filter((file) => typeof file === 'string');
  if (!Array.isArray(value.sessions)) return { sessions: undefined, filesTouched, problems: [] };

  const problems: string[] = [];
  const sessions = value.sessions.map((session: unknown, index) => {
    const path = isObject(session) ? session.metadata : undefined;
    if (path === undefined || path === '') return index;
    const number = typeof path === 'string' ? /(?:^|\/)(\d{1,6})\/[^/]+$/.exec(path)?.[1] : undefined;
    if (path !== `/${dir}/${number}/metadata.json`)
      problems.push(`session ${index} is recorded with an odd path: ${describeJson(path)}`);
    return number === undefined ? index : Number(number);
  });
  return { sessions: [...new Set(sessions)], filesTouched, problems };
}
