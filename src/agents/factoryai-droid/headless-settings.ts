import type { JsonObject } from '../../base/text/json.ts';

/** How a session is set over JSON-RPC. */
export interface DroidSettings {
  /** Told when a session begins, and whenever it is gone on with. */
  readonly unsafe: JsonObject;
  /** Kept with a session, and changed by a request of their own. */
  readonly settings: JsonObject;
}

/**
 * What arguments of `droid exec` mean over JSON-RPC, where droid checks those and sets nothing by them.
 *
 * @see `droid exec --help`, Stream JSON-RPC Mode
 */
export function readSettings(words: readonly string[]): DroidSettings {
  const model = optionIn(words, '--model', '-m');
  const effort = optionIn(words, '--reasoning-effort', '-r');
  const autonomy = optionIn(words, '--auto');
  return {
    unsafe: words.includes('--skip-permissions-unsafe') ? { skipPermissionsUnsafe: true } : {},
    settings: {
      ...(model === undefined ? {} : { modelId: model }),
      ...(effort === undefined ? {} : { reasoningEffort: effort }),
      ...(autonomy === undefined ? {} : { autonomyLevel: autonomy, autonomyMode: `auto-${autonomy}` }),
    },
  };
}

/** `--name value`, `--name=value`, `-n value` or `-nvalue`; the last one counts. */
function optionIn(words: readonly string[], long: string, short = long): string | undefined {
  const found = words.flatMap((word, at) => {
    if (word === long || word === short) return words.slice(at + 1, at + 2);
    if (word.startsWith(`${long}=`)) return [word.slice(long.length + 1)];
    const isShort = short !== long && word.startsWith(short);
    return isShort ? [word.slice(short.length).replace(/^=/, '')] : [];
  });
  return found.at(-1);
}
