import { disk, listNames } from '../file/disk.ts';

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** When it began, in the system's own words: together with the pid it names one process, and never a later one. */
  readonly began: string;
  /** It has ended, and its parent has not heard of it. */
  readonly isZombie: boolean;
}

/**
 * What a program has started, and what that has started: also in process groups of its own, as agents give them to the shells of
 * their tools, and also when the program itself has ended. A process that ends gives its id back, and another one may get it: none
 * is taken for ours but one that was seen as such, or is of such a one's group, or was started by one.
 */
export class ProcessFamily {
  private readonly leader: number;
  private readonly runPs: () => string;
  /** Those that were seen, and when each began. */
  private known = new Map<number, string>();

  /**
   * @param leader the process that leads its own group
   * @param runPs prints what `ps -A -o pid=,ppid=,pgid=,stat=,lstart=` does; asked where there is no `/proc`
   */
  constructor(leader: number, runPs: () => string) {
    this.leader = leader;
    this.runPs = runPs;
  }

  /** Looks for what the leader leaves behind. To be called when that has just ended: its group is still its own then. */
  lookBehind(): void {
    const rows = listProcesses(this.runPs);
    const isTaken = rows.some(({ pid }) => pid === this.leader);
    this.look(rows, isTaken ? [] : rows.filter(({ group }) => group === this.leader));
  }

  /**
   * The groups of all that live, that of the leader last.
   *
   * @param isLed the leader has not ended
   * @returns the leader's alone on Windows, which has no groups, and where processes cannot be listed
   */
  groups(isLed: boolean): number[] {
    const rows = listProcesses(this.runPs);
    const leader = isLed ? rows.filter(({ pid }) => pid === this.leader) : [];
    const found = this.look(rows, leader).map(({ group }) => group);
    const others = [...new Set(found)].filter((group) => group !== this.leader);
    return isLed || found.includes(this.leader) ? [...others, this.leader] : others;
  }

  private look(rows: readonly ProcessRow[], ours: readonly ProcessRow[]): readonly ProcessRow[] {
    const family = new Set([...ours, ...rows.filter(({ pid, began }) => this.known.get(pid) === began)]);
    const isRelated = ({ parent, group }: ProcessRow): boolean =>
      [...family].some((one) => one.pid === parent || one.group === group);
    for (let size = -1; size !== family.size; ) {
      size = family.size;
      for (const row of rows) if (!family.has(row) && isRelated(row)) family.add(row);
    }
    const own = rows.find(({ pid }) => pid === process.pid)?.group;
    const living = [...family].filter((row) => !row.isZombie && row.group > 1 && row.group !== own);
    this.known = new Map(living.map(({ pid, began }) => [pid, began]));
    return living;
  }
}

function listProcesses(runPs: () => string): ProcessRow[] {
  try {
    if (process.platform === 'linux') return listNames('/proc').flatMap(readStat);
    if (process.platform === 'win32') return [];
    return runPs().split('\n').flatMap(parsePs);
  } catch {
    return []; // what the group does not reach goes on then
  }
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function readStat(name: string): ProcessRow[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const stat = disk.readFileSync(`/proc/${name}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent = '', group = ''] = fields;
    return toRow([name, parent, group], state, fields[BEGAN] ?? '');
  } catch {
    return []; // it has ended meanwhile
  }
}

/** `starttime`, counted from the state: the third of all fields. */
const BEGAN = 19;

function parsePs(line: string): ProcessRow[] {
  const [pid = '', parent = '', group = '', state = '', ...began] = line.trim().split(/\s+/);
  return toRow([pid, parent, group], state, began.join(' '));
}

function toRow(ids: readonly string[], state: string, began: string): ProcessRow[] {
  const [pid = Number.NaN, parent = Number.NaN, group = Number.NaN] = ids.map(Number);
  const isZombie = state.startsWith('Z');
  return [pid, parent, group].every(Number.isSafeInteger) ? [{ pid, parent, group, began, isZombie }] : [];
}
