export { EntireError } from './base/errors.ts';
