import { now } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { compileCustomRules } from '../../checkpoint/redact/custom.ts';
import { type ExternalListing, howTo, listExternalAgents } from '../../hooks/agent/external-agents.ts';
import { openSources } from '../../hooks/agent/sources.ts';
import { type Pause, readPauses } from '../../session/record/pause.ts';
import type { Activation } from '../../settings/enabled.ts';
import { AGREED_REMOTE, KEYS, type Key, nameOf, SHOWN_PLACE, STRATEGIES } from '../../settings/keys.ts';
import { LOCAL_SETTINGS_FILE, SETTINGS_FILE } from '../../settings/layers.ts';
import { listUnheard, type Unheard } from '../../settings/permissions.ts';
import { type Proposal, readPushSettings } from '../../settings/push.ts';
import { parseRedaction } from '../../settings/redaction.ts';
import { type LoadedSettings, loadSettings } from '../../settings/settings.ts';
import type { Patient } from '../patient.ts';
import { type Finding, found, foundSome } from './finding.ts';

/** Whether hooks may act here, and what is odd about the settings. */
export interface SetUpFacts {
  readonly activation: Activation;
  /** The value of `ENTIRE`. */
  readonly variable: string | undefined;
  /** Private stretches that go on. */
  readonly pauses: readonly Pause[] | 'unreadable';
  /** `undefined` where they cannot be read. */
  readonly settings: Pick<LoadedSettings, 'effective' | 'project' | 'local' | 'unknownKeys'> | undefined;
  /** Why the commands cannot read settings that the hooks can. */
  readonly refusal: string | undefined;
  /** Rules for redaction that cannot be used, each with the reason. */
  readonly badRules: readonly string[];
}

export async function readSetUp({ activation, repo }: Patient): Promise<SetUpFacts> {
  const pauses = readPauses(repo.commonDir);
  const facts = {
    activation,
    pauses,
    variable: process.env.ENTIRE,
    badRules: await readBadRules(activation),
  };
  if (activation.kind === 'not-set-up' || activation.refused.length > 0)
    return { ...facts, settings: undefined, refusal: undefined };
  try {
    return { ...facts, settings: loadSettings(activation.root), refusal: undefined };
  } catch (error) {
    return { ...facts, settings: undefined, refusal: describeError(error) };
  }
}

async function readBadRules(activation: Activation): Promise<readonly string[]> {
  if (!('redaction' in activation)) return [];
  return (await compileCustomRules(parseRedaction(activation.redaction))).problems;
}

export function judgeSetUp(facts: SetUpFacts): Finding[] {
  const { activation, settings } = facts;
  const findings: Finding[] = [];
  if (facts.variable === '0') findings.push(found('switched-off'));
  findings.push(...judgePauses(facts.pauses));
  if (activation.kind === 'not-set-up') findings.push(found('not-set-up'));
  for (const { file, reason } of activation.kind === 'not-set-up' ? [] : activation.refused)
    findings.push(found('settings-unreadable', [file], { detail: reason }));
  if (facts.refusal !== undefined) findings.push(found('settings-unreadable', [], { detail: facts.refusal }));
  if (activation.kind === 'disabled')
    findings.push(
      found('disabled', settings?.local?.enabled === false ? [LOCAL_SETTINGS_FILE] : [SETTINGS_FILE]),
    );
  const unknown = settings?.unknownKeys ?? [];
  const keys = unknown.map(({ file, key }) => `${file}: ${key}`);
  findings.push(...foundSome('settings-unknown-key', keys));
  const strategy = settings?.effective.strategy;
  if (strategy !== undefined && !STRATEGIES.some((name) => name === strategy))
    findings.push(found('strategy-unknown', [strategy]));
  findings.push(...foundSome('redaction-rule-unusable', facts.badRules));
  return findings;
}

const LONG_MS = 24 * 60 * 60 * 1000;

function judgePauses(pauses: SetUpFacts['pauses']): Finding[] {
  if (pauses === 'unreadable') return [found('paused-unreadable')];
  const nameOf = ({ scope }: Pause): string =>
    scope.kind === 'session'
      ? `session ${scope.sessionId}`
      : `worktree ${scope.worktreeId || '(the main one)'}`;
  const isLong = ({ atMs }: Pause): boolean => now().getTime() - atMs > LONG_MS;
  return [
    ...foundSome('paused', pauses.filter((pause) => !isLong(pause)).map(nameOf)),
    ...foundSome('paused-for-long', pauses.filter(isLong).map(nameOf)),
  ];
}

type Facts = Pick<ExternalListing, 'wish' | 'problems'>;

/** An executable that says what it is may still not say how its hooks stand. */
export function readExternalAgents({ repo }: Patient): Facts {
  const { wish, problems, agents } = listExternalAgents(repo);
  const silent = agents.flatMap(({ name, program: file, settings }) => {
    try {
      settings.inspect({ root: repo.worktreeRoot });
      return [];
    } catch (error) {
      return { name, file, reason: describeError(error) };
    }
  });
  return { wish, problems: [...problems, ...silent] };
}

/** Executables on PATH that nobody asked for are no finding. */
export function judgeExternalAgents({ wish, problems }: Facts): Finding[] {
  const refused = wish === 'shared' ? [found('external-agents-refused', [], { detail: howTo(wish) })] : [];
  const unusable = problems.map(({ name, reason }) => `${name}: ${reason}`);
  return [...refused, ...foundSome('external-agent-unusable', unusable)];
}

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
