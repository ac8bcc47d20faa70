import type { Language } from '../language.ts';
import { C } from './c.ts';
import { CPP } from './cpp.ts';
import { GO } from './go.ts';
import { JAVA } from './java.ts';
import { JAVASCRIPT, TYPESCRIPT } from './javascript.ts';
import { PYTHON } from './python.ts';
import type { LanguageQuery } from './rules.ts';
import { RUST } from './rust.ts';

export const QUERIES: Readonly<Record<Language, LanguageQuery>> = {
  python: PYTHON,
  c: C,
  cpp: CPP,
  typescript: TYPESCRIPT,
  tsx: TYPESCRIPT,
  javascript: JAVASCRIPT,
  go: GO,
  rust: RUST,
  java: JAVA,
};
