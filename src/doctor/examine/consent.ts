import { openSources } from '../../hooks/agent/sources.ts';
import { AGREED_REMOTE, KEYS, type Key, nameOf, SHOWN_PLACE } from '../../settings/keys.ts';
import { listUnheard, type Unheard } from '../../settings/permissions.ts';
import { type Proposal, readPushSettings } from '../../settings/push.ts';
import type { Patient } from '../patient.ts';
import { type Finding, foundSome } from './finding.ts';

/** What the settings would allow, beyond what the person here has said. */
export interface ConsentFacts {
  readonly unheard: readonly Unheard[];
  /** Of a clone whose person lets session logs leave. */
  readonly proposal: Proposal | undefined;
  /** Keys of `entire.*` in git's configuration. */
  readonly gitKeys: readonly string[];
}

export function readConsent({ repo }: Patient): ConsentFacts {
  const sources = openSources(repo);
  const { permission, proposal } = readPushSettings(sources);
  return {
    unheard: listUnheard(sources),
    proposal: permission.given ? proposal : undefined,
    gitKeys: sources.witness.gitValues().map(({ key }) => key),
  };
}

/** In lower case, as git prints them. */
const KNOWN = new Set(
  [...Object.values<Key>(KEYS).flatMap(({ git }) => git ?? []), AGREED_REMOTE, SHOWN_PLACE].map((key) =>
    key.toLowerCase(),
  ),
);

export function judgeConsent({ unheard, proposal, gitKeys }: ConsentFacts): Finding[] {
  // What asks for executables has a finding of its own.
  const others = unheard.filter(({ key }) => key !== nameOf(KEYS.externalAgents));
  const unknown = [...new Set(gitKeys)].filter((key) => !KNOWN.has(key));
  return [
    ...foundSome(
      'settings-not-heard',
      others.map(({ key, where }) => `${where}: ${key}`),
    ),
    ...foundSome('checkpoint-remote-not-agreed', proposal ? [proposal.wanted || proposal.agreed] : []),
    ...foundSome(
      'settings-unknown-key',
      unknown.map((key) => `git config: ${key}`),
    ),
  ];
}
