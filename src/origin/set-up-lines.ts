import { isAgentSettings } from '../agents/registry.ts';
import { isInfrastructurePath } from '../base/repo-path.ts';

/** Whether what a commit added to a file is Entire's own set-up, and nobody's work: `.entire/`, and hooks in settings of agents. */
export const isSetUp = (path: string, lines: readonly { readonly text: string }[]): boolean =>
  isInfrastructurePath(path) ||
  (isAgentSettings(path) && lines.some(({ text }) => /\bentire hooks /.test(text)));
