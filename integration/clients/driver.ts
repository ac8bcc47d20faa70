import type { Installation } from './install.ts';
import type { Step } from './model/scene.ts';

/** Where a client runs: absolute paths, and the address of the scripted model. */
export interface Place {
  readonly repo: string;
  readonly home: string;
  readonly temp: string;
  readonly url: string;
}

/** One headless turn. */
export interface Turn {
  readonly prompt: string;
  /** The session to go on with: its id, or `last` for the newest of this folder. A new session without it. */
  readonly resume?: string;
  /** More arguments for the client, in its own words. */
  readonly more?: readonly string[];
}

/** What a client has printed, and how it ended. */
export interface Output {
  readonly lines: readonly string[];
  readonly errors: string;
  readonly exitCode: number | null;
}

/** What a client says of a turn. */
export interface Answer {
  /** Absent where the client does not print it. */
  readonly sessionId: string | undefined;
  /** The last words of the model. */
  readonly text: string;
}

/** One real agent client: how it is installed and started offline, and which calls its tools understand. */
export interface ClientDriver {
  /** As in `entire enable --agent`. */
  readonly agent: string;
  /** As in the metadata of a checkpoint. */
  readonly type: string;
  /** Ensures that the client lies in the cache; says why not where it cannot be had. Asked once a process. */
  install(): Installation;
  /** Files that the client reads at its start: absolute path → text. They are written before the first turn. */
  files(place: Place): Readonly<Record<string, string>>;
  /** What it needs to run offline, without a login, and without leaving anything outside of the place. */
  env(place: Place): Readonly<Record<string, string>>;
  /** The arguments of a headless turn. */
  args(turn: Turn, place: Place): readonly string[];
  /** What the output of a turn says; undefined where it holds no answer. */
  readAnswer(output: Output): Answer | undefined;
  /** What the model calls to work on files, `name` being a path in the repository. */
  readonly calls: {
    create(place: Pick<Place, 'repo'>, name: string, content: string): readonly Step[];
    edit(place: Pick<Place, 'repo'>, name: string, oldText: string, newText: string): readonly Step[];
    shell(command: string): readonly Step[];
  };
  /** No git hook runs on commits from the client's shell: they have no trailer, but a note. */
  readonly commitsWithoutHooks?: true;
}
