import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { createHash, randomHex } from '../../../src/base/hash.ts';
import type { Payload } from '../agent/payloads.ts';
import { AgentSession } from '../agent/session.ts';
import { root } from '../process/builds.ts';
import { TestRepo } from '../repository/test-repo.ts';

/** Sessions of {@link Shop}. */
export const SEARCH = '3a6edbc9-2d4b-4c1e-9f0a-7b8c9d0e1f2a';
export const RENAME = 'fde8a98d-5b6c-4d7e-8f90-a1b2c3d4e5f6';

/** A path that is longer than a narrow terminal. */
export const LONG =
  'packages/storefront/src/components/navigation/breadcrumbs/hierarchical-breadcrumb-renderer.test.ts';
const JAPANESE = 'docs/検索/設計メモ.md';

/** What people see of the home; the folder of a test has as many characters, wherever it lies. */
const HOME = '/home/ada-king-countess-lovelace';

/** Its repository, as people see it. */
export const FOLDER = `${HOME}/src/shop-検索`;

/** What Claude Code writes of {@link SEARCH}. */
export const TRANSCRIPT = `${HOME}/.claude/projects/-repo/${SEARCH}.jsonl`;

/** Compiles the product as it is at a moment that does not pass (`entire-fixed.ts`). */
function compileFixed(): string {
  const program = join(root, 'dist', 'test', 'entire-fixed');
  const entry = join(root, 'integration', 'support', 'process', 'entire-fixed.ts');
  execFileSync('npx', ['tsx', 'scripts/build.ts', '--entry', entry, '--out', program], { cwd: root });
  return program;
}

/** A folder for a home whose name is as long as {@link HOME}; `undefined` where there is no such place. */
function newPlace(): string {
  const base = ['/dev/shm', '/tmp'].find(existsSync) ?? '/tmp';
  return `${base}/e${randomHex(16)}`.slice(0, HOME.length - '/home'.length);
}

/** A repository in which all kinds of things happened, at times and with ids that are always the same. */
export class Shop extends TestRepo {
  private at = new Date('2026-03-04T09:00:00Z');
  private steps: readonly string[] | undefined;

  constructor(place = newPlace()) {
    const program = compileFixed();
    const bin = join(place, 'home', '.local', 'bin');
    super({ name: 'fixed', program, bin }, place);
    mkdirSync(bin, { recursive: true });
    symlinkSync(program, join(bin, 'entire'));
    this.dir = join(this.home, 'src', 'shop-検索');
    mkdirSync(this.dir, { recursive: true });
    this.wait(0);
  }

  /** So many minutes pass. */
  private wait(minutes: number): void {
    this.at = new Date(this.at.getTime() + minutes * 60_000);
    const date = `@${this.at.getTime() / 1000} +0000`;
    this.variables = {
      ENTIRE_TEST_NOW: this.at.toISOString(),
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    };
  }

  override session(id: string): AgentSession {
    return new DatedSession(this, id, () => this.at);
  }

  private work(session: AgentSession, prompt: string, files: Readonly<Record<string, string>>): void {
    this.wait(3);
    session.prompt(prompt);
    for (const [path, content] of Object.entries(files)) {
      this.wait(1);
      session.edit(path, content);
    }
    this.wait(1);
    session.stop('That is done: the tests pass.');
    this.wait(2);
  }

  /** Lets everything happen. */
  play(): this {
    this.init().write('README.md', '# Shop\n').write('src/search.ts', 'export const rank = 1;\n');
    this.write(JAPANESE, '# 設計\n').write(LONG, 'test.todo("trail");\n');
    this.commit('Begin', '.');
    this.entire('enable', '--agent', 'claude-code', '--push-sessions=false');
    this.write(
      '.entire/context.toml',
      '[presets.search]\nfiles = ["src/search.ts", "docs/検索/設計メモ.md"]\n',
    );
    this.commit('Enable entire', '.');
    const bare = join(this.home, 'remotes', 'shop.git');
    this.git('init', '--quiet', '--bare', '--initial-branch=main', bare);
    this.git('remote', 'add', 'origin', `file://${bare}`);

    const search = this.session(SEARCH);
    search.start();
    const first =
      'Add a search over titles and prompts, ranked by how rare each word is, and tell me which files you changed so that I can review them before lunch';
    this.work(search, first, {
      'src/search.ts': 'export const rank = (word: string) => 1 / word.length;\nexport const search = 2;\n',
      [LONG]: 'test("trail", () => {});\n',
    });
    this.commit('Add search over titles and prompts (検索を追加する) 🔎', '.');
    this.work(
      search,
      'タイトルの検索を速くして、日本語の本文でも動くようにしてください。🚀✨ テストも忘れずに書いてから、結果を短くまとめてください。',
      { [JAPANESE]: '# 設計\n\n索引は一つ。\n', 'src/index.ts': 'export const index = 1;\n' },
    );
    this.commit('feat(search): make the index fast, and let it read text in every language there is', '.');
    this.wait(10);
    this.write('build.sh', 'true\n').commit('Fix the build', 'build.sh');
    this.git('push', '--quiet', '--set-upstream', 'origin', 'main');

    const rename = this.session(RENAME);
    rename.start();
    this.work(rename, 'rename values to constants 👩‍👩‍👧‍👦', {
      'src/values.ts': 'export const ONE = 1;\nexport const TWO = 2;\n',
      'src/index.ts': 'export const INDEX = 1;\nexport const more = 2;\n',
    });
    this.write('src/mine.ts', 'export const mine = 1;\n');
    this.commit('refactor: constants', 'src/values.ts', 'src/mine.ts');
    this.entire('worktree', 'create', 'search-ranking');
    this.entire('session', 'fork', SEARCH, '--branch', 'try-harder');
    this.work(search, 'improve the search', { 'src/search.ts': 'export const rank = 3;\n' });
    this.work(search, 'and its tests', { [LONG]: 'test("trails", () => {});\n' });
    this.entire('undo', '--session', SEARCH);
    setTimes(this.home, this.at); // what nobody wrote at a time of the story
    setTimes(search.transcript, new Date(this.at.getTime() - 2 * 60_000));
    setTimes(rename.transcript, new Date(this.at.getTime() - 14 * 60_000));
    this.git('update-index', '-q', '--refresh');
    this.wait(4);
    return this;
  }

  /** What was printed, as it is printed in every run, and as wide. */
  asEver(text: string): string {
    this.steps ??= this.readSteps();
    let shown = text.replaceAll(this.home, HOME);
    for (const [at, id] of this.steps.entries()) {
      const ever = createHash('sha1').update(`step ${at}`).digest('hex');
      for (const length of [40, 7]) shown = shown.replaceAll(id.slice(0, length), ever.slice(0, length));
    }
    return shown
      .replace(/(?<=Entire CLI \S+ \()[0-9a-f]{8}/g, '0123abcd')
      .replace(/(?<=Bun: v)[\d.]+/g, '1.0.0')
      .replace(/(?<=OS\/Arch: )\S+/g, 'linux/amd64');
  }

  /** Commits of steps: they hold paths of the home, and differ from run to run. */
  private readSteps(): string[] {
    const refs = this.shadowBranches().sort();
    return refs.flatMap((ref) => this.git('rev-list', '--topo-order', ref, '--not', 'main').split('\n'));
  }
}

/** Everything in a folder was written then. */
function setTimes(path: string, at: Date): void {
  const stat = lstatSync(path);
  if (stat.isDirectory()) for (const name of readdirSync(path)) setTimes(join(path, name), at);
  if (!stat.isSymbolicLink()) utimesSync(path, at, at);
}

/** Its transcript is written at the times of the story. */
class DatedSession extends AgentSession {
  private readonly now: () => Date;

  constructor(repo: TestRepo, id: string, now: () => Date) {
    super(repo, id);
    this.now = now;
  }

  override write(line: Payload): void {
    super.write({ timestamp: this.now().toISOString(), ...line });
  }
}
