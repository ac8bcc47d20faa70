/** What `entire rewind` says. */

export const FLAGS = {
  list: 'List the points one can go back to, as JSON',
} as const;
