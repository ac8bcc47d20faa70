/** One answer of the scripted model: text that ends the turn, one tool call, or an error, which ends it, too. */
export type Step = SayStep | CallStep | FailStep;

/** Holds the answer back until it returns true. */
interface Held {
  readonly until?: () => boolean;
}

interface Answered extends Held {
  /** So many tokens the conversation has, says the answer; clients compact one that is long. Else it is what it is. */
  readonly tokens?: number;
}

interface SayStep extends Answered {
  readonly say: string;
}

export interface CallStep extends Answered {
  readonly call: string;
  /** Of tools that a client groups. */
  readonly namespace?: string;
  /** Text for a tool that takes free text (`apply_patch` of GPT-5 models), else the members of its input. */
  readonly input: Readonly<Record<string, unknown>> | string;
}

/** The same step, of which the first answer alone says that the conversation has so many tokens. */
export function claimOnce(step: Step | undefined, tokens: number): CallStep {
  let answers = 0;
  return {
    ...(step as CallStep),
    get tokens() {
      return ++answers === 1 ? tokens : 0;
    },
  };
}

interface FailStep extends Held {
  readonly fail: string;
  /** Default: 400. */
  readonly status?: number;
}

/** A step that a model can answer with; `fail` is an answer of the server. */
export type PlayableStep = SayStep | CallStep;

/**
 * What the model does when the last user text that fits any scene contains `keyword`. The step is the number of
 * tool results seen since that text, so nothing is remembered between requests: sub-agents (whose first user text
 * is their own prompt), resumed sessions, several clients at once and repeated requests all find their place.
 */
export interface Scene {
  readonly keyword: string;
  readonly steps: readonly Step[];
}

/** What of a conversation decides the step: a text of the user, or the result of a tool. */
export type Told = { readonly user: string } | 'result';

/** A scene and its step that a request has come to. */
export interface Cue {
  readonly scene: Scene;
  readonly index: number;
  readonly step: Step;
}

const HOLD_MS = 60_000;

/** Finds the scene and the step that a conversation has come to. */
export function findCue(told: readonly Told[], scenes: readonly Scene[]): Cue | undefined {
  let scene: Scene | undefined;
  let index = 0;
  for (const one of told) {
    if (one === 'result') {
      index += 1;
      continue;
    }
    const found = scenes.find(({ keyword }) => one.user.includes(keyword));
    if (found) [scene, index] = [found, 0];
  }
  const step = scene?.steps[index];
  return scene && step && { scene, index, step };
}

/** Waits for what the step waits for, but not for ever, and not for a client that has gone away. */
export async function awaitStep(step: Step | undefined, isGone: () => boolean): Promise<void> {
  const end = Date.now() + HOLD_MS;
  while (step?.until && !step.until() && !isGone() && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
