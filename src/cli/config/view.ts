import { SETTABLE } from '../../settings/config/find-key.ts';
import { type InForce, readInForce } from '../../settings/config/in-force.ts';
import { renderSetting } from '../../settings/config/typed-value.ts';
import { KEYS, type KeyName, nameOf } from '../../settings/keys.ts';
import type { Sources } from '../../settings/permissions.ts';
import { type Column, renderTable } from '../ui/table.ts';
import { oneLine, renderJson } from '../ui/terminal.ts';
import { widthOf } from '../ui/width.ts';
import type { UnknownKey } from './setting.ts';
import * as text from './text.ts';

/** All keys that people set, and those of other releases that are set somewhere. */
export const listInForce = (sources: Sources): InForce[] => [
  ...SETTABLE.map(([name]) => readInForce(name, sources)),
  ...(Object.keys(KEYS) as KeyName[])
    .filter((name) => KEYS[name].heard === 'nobody')
    .map((name) => readInForce(name, sources))
    .filter(({ set }) => set.length > 0),
];

const FROM = 'FROM';

/** The list for people; safe to print. @param width of the terminal: where it is too narrow, what a setting does stands below it */
export function renderList(
  settings: readonly InForce[],
  unknown: readonly UnknownKey[],
  width: number | undefined,
): string {
  const rows = settings
    .filter(({ key }) => key.takes)
    .map((one) => [nameOf(one.key), renderValue(one), renderFrom(one), one.key.about].map(oneLine));
  const columns = [{ title: 'KEY' }, { title: 'VALUE', least: 13 }, { title: FROM, drop: 1 }];
  const wide = renderTable([...columns, { title: 'WHAT IT DOES' }], rows, undefined);
  const isNarrow = width && wide.split('\n').some((line) => widthOf(line) > width);
  const table = isNarrow ? renderNarrow(columns, rows, width) : wide;
  const notes = [
    ...settings.flatMap(({ key, set }) =>
      set.flatMap(({ where, value, deaf }) =>
        deaf ? text.deafLine(nameOf(key), renderSetting(key.takes, value), where, deaf) : [],
      ),
    ),
    ...unknown.map(({ key, where }) => text.unknownLine(key, where)),
  ].map((note) => `  ${oneLine(note)}`);
  return [table, ...(notes.length > 0 ? ['', text.NOTES, ...notes] : [])].join('\n');
}

function renderNarrow(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const cells = rows.map((row) => row.slice(0, columns.length));
  const [head = '', ...lines] = renderTable(columns, cells, width).split('\n');
  const about = (row: readonly string[]): string => {
    const [, , from = '', what = ''] = row;
    return head.includes(FROM) || from === text.DEFAULT ? what : `${what} (${from})`;
  };
  return [head, ...lines.flatMap((line, at) => [line, `    ${about(rows[at] ?? [])}`])].join('\n');
}

/** What holds, as people read it; a number with its unit. */
export function renderValue({ key, value }: Pick<InForce, 'key' | 'value'>): string {
  if (value === undefined) return text.NONE;
  const told = renderSetting(key.takes, value);
  return key.takes?.kind === 'number' ? `${told} ${key.takes.unit}` : told;
}

export const renderFrom = ({ from }: InForce): string => (from.length > 0 ? from.join(', ') : text.DEFAULT);

export const renderListJson = (settings: readonly InForce[], unknown: readonly UnknownKey[]): string =>
  renderJson({ settings: settings.map(toJson), unknown_keys: unknown });

export const renderOneJson = (one: InForce): string => renderJson(toJson(one));

const toJson = ({ key, value, from, set }: InForce) => ({
  key: nameOf(key),
  git_key: key.git ?? null,
  value: value ?? null,
  from,
  default: key.usual ?? null,
  type: key.takes?.kind ?? null,
  values: key.takes?.kind === 'word' ? key.takes.words : null,
  unit: key.takes?.kind === 'number' ? key.takes.unit : null,
  description: key.about || null,
  set: set.map(({ where, value, deaf }) => ({ where, value, not_heard: deaf ?? null })),
});
