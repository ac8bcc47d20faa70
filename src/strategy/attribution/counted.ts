import { isAgentSettings } from '../../agents/registry.ts';
import { isInfrastructurePath } from '../../base/repo-path.ts';

/** Whether the lines of a file are anybody's work: our own files and the settings of agents are not. */
export const isCounted = (path: string): boolean => !isInfrastructurePath(path) && !isAgentSettings(path);
