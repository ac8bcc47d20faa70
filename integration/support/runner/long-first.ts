import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = '// @module-tag long';

/** Begins with the files that are long as a whole: else one of them runs for minutes when nothing else is left to do. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = new Set(sorted.filter(({ moduleId }) => readFileSync(moduleId, 'utf8').includes(LONG)));
    return [...isLong, ...sorted.filter((file) => !isLong.has(file))];
  }
}
