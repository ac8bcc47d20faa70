/** Rows of the table of formats that are no files which anybody could damage so. */
export const NO_FILES: readonly RegExp[] = [
  /^refs\//,
  /^stdout/,
  /in git trees$/,
  /^on the metadata branch/,
  /^`tasks\/<tool use>\/` on shadow branches/,
  /^commit messages/,
  /^git notes/,
  /^where (?:its caller keeps it|their owner keeps them|their caller keeps them)/,
  /in the folder that its caller names/,
  /^`refs\//,
];
