import { blame } from '../../support/command/blame.ts';
import type { Story, Tally } from './story.ts';
import { linesOf } from './text.ts';

/** Holds what `entire blame` says of each line of each file against the truth, and throws where somebody is called another. */
export function judge(story: Story, tally: Tally, way: string): void {
  for (const path of story.files()) {
    const text = story.repo.read(path);
    if (text === '') continue;
    const truth = story.truth.of(linesOf(text));
    const told = blame(story.repo, path).lines;
    const isWrong = told.some(
      ({ class: kind }, at) =>
        truth[at] &&
        (kind === 'unknown' ? 'unknown' : kind === 'human' ? 'user' : 'agent') !==
          (truth[at]?.author === 'user' ? 'user' : 'agent'),
    );
    if (process.env.ENTIRE_STORIES_SHOW && isWrong) {
      console.log(
        [
          `== ${path} after ${way}`,
          ...story.story.slice(-40),
          ...told.map(
            ({ class: k, reason, session_id, text: t, commit }, at) =>
              `${truth[at]?.author ?? '?'}\t${k} ${reason} ${session_id === story.sessions.A.id ? 'A' : session_id ? 'B' : ''} ${commit?.slice(0, 7)}\t${t}`,
          ),
        ].join('\n'),
      );
    }
    told.forEach(({ class: kind, session_id, reason, text: line }, at) => {
      const own = truth[at];
      if (!own) return;
      // Git takes it for one that stood there before the lines around it, whoever wrote that.
      if (!own.isUnique && told[at]?.commit !== told[at - 1]?.commit) return;
      tally.lines++;
      if (!own.isUnique) tally.common++;
      story.count('lines');
      if (kind === 'unknown') {
        tally.unknown++;
        story.count(`unknown ${reason} ${way}`);
        return;
      }
      const who = own.author === 'user' ? null : story.sessions[own.author].id;
      if ((kind === 'agent' ? session_id : null) === who) return;
      const said = kind === 'agent' ? (session_id === story.sessions.A.id ? 'A' : 'B') : 'user';
      if (!own.isUnique) {
        tally.commonWrong++;
        story.count(`common wrong ${way}`);
        return;
      }
      story.count(
        `wrong ${own.author === 'user' ? 'user' : 'agent'} as ${said === 'user' ? 'user' : 'agent'} ${way}`,
      );
      story.wrong.push(
        `${path}:${at + 1} "${line}" is ${own.author}'s, and is called ${said}'s (${reason}), after ${way}`,
      );
    });
  }
}
