/** Longer names make paths that some systems refuse. */
const MAX_CHARACTERS = 100;

/**
 * Why a name is none for a worktree: it becomes a folder and, unless another is given, a branch. `undefined`: it is one.
 *
 * Letters of any script, digits, `.`, `_`, `-`; not at the beginning `.` or `-`; no `..`; not ending as git forbids it.
 */
export function findNameFault(name: string): string | undefined {
  if (name === '') return 'the name is missing';
  if (/[/\\]/.test(name)) return 'a name is that of one folder, without / or \\';
  if (name.startsWith('-')) return 'a name cannot begin with a dash';
  if (name.startsWith('.')) return 'a name cannot begin with a dot';
  if (name.includes('..')) return 'a name cannot hold two dots in a row';
  if (/\.(?:lock)?$/.test(name)) return 'a name cannot end with a dot or with .lock';
  if ([...name].length > MAX_CHARACTERS) return `a name has at most ${MAX_CHARACTERS} characters`;
  if (!/^[\p{L}\p{M}\p{N}._-]+$/u.test(name)) return 'a name is made of letters, digits, dots, dashes and _';
  return undefined;
}

/** What a folder and a ref are called for a worktree: by its name, as far as that is one; git and a manifest may have any. */
export function labelOf(name: string): string {
  const label = name.replace(/[^\p{L}\p{M}\p{N}._-]+|\.{2,}/gu, '-').replace(/^[-.]+/, '');
  return findNameFault(label) === undefined ? label : 'worktree';
}
