export const uppercaseFirst = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** `DEPLOY_API_KEY` as `deployApiKey`. */
export const camelOf = (name: string): string =>
  name.toLowerCase().replaceAll(/[_-]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `DEPLOY_API_KEY` as `deploy-api-key`. */
export const kebabOf = (name: string): string => name.toLowerCase().replaceAll('_', '-');
