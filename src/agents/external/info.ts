import { isObject } from '../../base/text/json.ts';
import { AGENTS } from '../names.ts';
import { PROTOCOL_VERSION } from './call.ts';

/** What an executable says of itself. */
export interface PluginInfo {
  /** As metadata names the agent. */
  readonly type: string;
  readonly description: string;
  /** Verbs behind `entire hooks <name>` that it installs. */
  readonly hookNames: readonly string[];
  readonly capabilities: ReadonlySet<string>;
}

/** Words in metadata that older releases wrote for the default agent, or for none. */
const GENERIC: readonly string[] = ['Agent', 'Unknown'];
const MAX_TYPE = 64;
const MAX_DESCRIPTION = 200;
const MAX_HOOKS = 100;

/** The answer to `info`, or in words what is wrong with it. Keys and capabilities that we do not know are passed over. */
export function parseInfo(value: unknown): PluginInfo | string {
  if (!isObject(value)) return 'something that is not an object';
  if (value.protocol_version !== PROTOCOL_VERSION)
    return `protocol version ${JSON.stringify(value.protocol_version) ?? '(none)'}, and this release speaks version ${PROTOCOL_VERSION}`;
  const type = lineOf(value.type, MAX_TYPE);
  if (type === '') return 'no "type", by which its sessions could be named';
  if (GENERIC.includes(type) || Object.values(AGENTS).some((agent) => agent.type === type))
    return `the type "${type}", which is that of another agent`;
  const capabilities = isObject(value.capabilities) ? value.capabilities : {};
  const hooks: readonly unknown[] = Array.isArray(value.hook_names) ? value.hook_names : [];
  return {
    type,
    description: lineOf(value.description, MAX_DESCRIPTION) || type,
    hookNames: hooks.filter((name) => typeof name === 'string').slice(0, MAX_HOOKS),
    capabilities: new Set(Object.keys(capabilities).filter((name) => capabilities[name] === true)),
  };
}

/** A text on one line, without what a terminal would obey. */
function lineOf(value: unknown, max: number): string {
  if (typeof value !== 'string') return '';
  const line = value.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
  return line.replace(/\s+/g, ' ').trim().slice(0, max);
}
