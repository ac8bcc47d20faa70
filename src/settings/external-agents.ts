import { readPermission, type Sources } from './permissions.ts';

/**
 * Whether agents that are not built in may be asked. `shared`: the wish stands only where everybody who can write to the
 * repository can write it, and is not heard.
 */
export type ExternalAgentsWish = 'on' | 'off' | 'shared';

/** What the settings say: a repository must not be able to have anything started on the machine of whoever clones it. */
export function readExternalAgentsWish(sources: Sources): ExternalAgentsWish {
  const { given, unheard } = readPermission('externalAgents', sources);
  if (given) return 'on';
  return unheard.length > 0 ? 'shared' : 'off';
}
