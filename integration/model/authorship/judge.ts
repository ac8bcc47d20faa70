import { blame } from '../../support/command/blame.ts';
import type { Story, Tally } from './story.ts';
import { type Author, linesOf, type TrueLine } from './text.ts';

type ToldLine = ReturnType<typeof blame>['lines'][number];

/**
 * Holds what `entire blame` says of each line of each file against the truth, and notes where somebody is called another.
 * `ENTIRE_STORIES_SHOW=1` prints each file that has a line which is not called its author's, and what led to it.
 *
 * @param way what was done last
 */
export function judge(story: Story, tally: Tally, way: string): void {
  for (const path of story.files()) {
    const text = story.repo.read(path);
    if (text === '') continue;
    const truth = story.truth.of(linesOf(text));
    const told = blame(story.repo, path).lines;
    let above: ToldLine | undefined;
    const wrong = told.filter((line, at) => {
      if (truth[at]?.isUnique) above = line;
      return judgeLine(story, tally, { line, above, own: truth[at] });
    });
    for (const line of wrong) {
      const author = truth[line.line - 1]?.author;
      story.count(`${line.class === 'unknown' ? `unknown (${line.reason})` : 'wrong'} after ${way}`);
      if (line.class !== 'unknown' && truth[line.line - 1]?.isUnique)
        story.wrong.push(
          `${path}:${line.line} "${line.text}" is ${author}'s, and is called ${sayer(story, line)}'s (${line.reason}), after ${way}`,
        );
    }
    if (wrong.length > 0 && process.env.ENTIRE_STORIES_SHOW === '1') {
      const rows = told.map((line, at) => {
        const mark = wrong.includes(line) ? '*' : ' ';
        const said = `${sayer(story, line)} ${line.reason} ${line.commit?.slice(0, 7)}`;
        return `${mark} ${truth[at]?.author ?? '?'}\t${said}\t${line.text}`;
      });
      console.log([`== ${path} after ${way}`, ...story.story, ...rows].join('\n'));
    }
  }
}

interface Judged {
  readonly line: ToldLine;
  /** The line like no other that it stands below, or itself. */
  readonly above: ToldLine | undefined;
  readonly own: TrueLine | undefined;
}

/** Counts a line, and says whether it is not called its author's. */
function judgeLine(story: Story, tally: Tally, { line, above, own }: Judged): boolean {
  if (!own) return false;
  // Git takes it for one that stood there before the lines around it, whoever wrote that.
  if (!own.isUnique && line.commit !== above?.commit) return false;
  tally.lines++;
  if (!own.isUnique) tally.common++;
  const said = sayer(story, line);
  if (said === own.author) return false;
  if (said === 'unknown') tally.unknown++;
  else if (own.isUnique) tally.uniqueWrong++;
  else tally.commonWrong++;
  return true;
}

function sayer(story: Story, { class: kind, session_id }: ToldLine): Author | 'unknown' {
  if (kind === 'unknown') return kind;
  if (kind === 'human') return 'user';
  return session_id === story.sessions.A.id ? 'A' : 'B';
}
