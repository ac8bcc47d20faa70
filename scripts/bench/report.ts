import { availableParallelism } from 'node:os';
import { toolVersion } from './world.ts';

/** Rows of cells as a Markdown table; all columns but the first to the right. */
export function renderMarkdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Something the project promises: `value` is at most `limit`. */
export interface Target {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  /** After the numbers, `×` or ` ms`. */
  readonly unit: string;
}

/** One line for each target: met or missed. A number that is none misses it. */
export function renderTargets(targets: readonly Target[]): string {
  return targets
    .map(({ what, value, limit, unit }) => {
      const verdict = value <= limit ? 'met' : 'missed';
      return `target ${verdict}: ${what}: ${value.toFixed(2)}${unit}, at most ${limit}${unit}`;
    })
    .join('\n');
}

/** The machine, and what was measured on it. */
export function describeMachine(setting: readonly string[]): string {
  const gitVersion = toolVersion('git', '--version').replace('version ', '');
  const machine = [
    `${availableParallelism()} cores`,
    `${process.platform}-${process.arch}`,
    gitVersion,
    `Node ${process.version}`,
  ];
  return `Machine: ${machine.join(', ')}. ${setting.join(', ')}.`;
}

export const renderMb = (bytes: number): string => (bytes / 1e6).toFixed(2);
