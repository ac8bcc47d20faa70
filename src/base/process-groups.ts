import { disk, listNames } from './disk.ts';

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/**
 * The process groups of what a process has started, and of what that has started, its own group left out. Agents give the shells of
 * their tools groups of their own, which no signal to the agent's group reaches.
 *
 * @param runPs prints pid, parent and group of each process, as `ps -A -o pid=,ppid=,pgid=` does; asked where there is no `/proc`
 * @returns none on Windows, which has no groups, and where processes cannot be listed
 */
export function groupsBelow(pid: number, runPs: () => string): number[] {
  const rows = listProcesses(runPs);
  const own = rows.find((row) => row.pid === pid)?.group;
  const family = new Set([pid]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const row of rows) if (family.has(row.parent)) family.add(row.pid);
  }
  const groups = rows.filter((row) => family.has(row.pid)).map(({ group }) => group);
  return [...new Set(groups)].filter((group) => group !== own && group > 1);
}

function listProcesses(runPs: () => string): ProcessRow[] {
  try {
    if (process.platform === 'linux') return listNames('/proc').flatMap(readStat);
    if (process.platform === 'win32') return [];
    return runPs()
      .split('\n')
      .flatMap((line) => toRow(line.trim().split(/\s+/)));
  } catch {
    return []; // what the group does not reach goes on then
  }
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function readStat(name: string): ProcessRow[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const stat = disk.readFileSync(`/proc/${name}/stat`, 'utf8');
    const [, parent = '', group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return toRow([name, parent, group]);
  } catch {
    return []; // it has ended meanwhile
  }
}

function toRow(fields: readonly string[]): ProcessRow[] {
  const [pid = Number.NaN, parent = Number.NaN, group = Number.NaN] = fields.map(Number);
  return [pid, parent, group].every(Number.isSafeInteger) ? [{ pid, parent, group }] : [];
}
