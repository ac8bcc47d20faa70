import { SubAgent } from '../../support/agent/sub-agent.ts';
import type { Dice } from '../../support/runner/dice.ts';
import type { Story } from './story.ts';
import { AGENTS, type Agent, type Author, reindented, render, type Unit } from './text.ts';

/** Somebody writes lines into a file, over some, or takes some away. Returns its name. */
export function write(story: Story, author: Author, dice: Dice, path = story.anyName(dice)): string {
  const units = story.units(path);
  story.put(
    author,
    path,
    units.length === 0
      ? story.truth.newUnits(author, 2 + dice.below(4), dice)
      : changed(story, author, units, dice),
  );
  return path;
}

function changed(story: Story, author: Author, units: readonly Unit[], dice: Dice): Unit[] {
  const at = dice.below(units.length + 1);
  const how = units.length > 14 ? 3 : dice.below(5);
  const replaced = how === 3 ? units.slice(at, at + 2) : how === 4 ? units.slice(0, 1) : [];
  const count = 1 + dice.below(3);
  // Whoever replaces a line, and leaves the common ones below it as they were, has not written these: they would be nobody's to tell.
  const fresh = replaced.some(({ below }) => below.length > 0)
    ? Array.from({ length: count }, () => story.truth.newPlainUnit(author))
    : story.truth.newUnits(author, count, dice);
  if (how <= 1) return [...units.slice(0, at), ...fresh, ...units.slice(at)];
  if (how === 2) return [...units, ...fresh];
  if (how === 3) return [...units.slice(0, at), ...fresh.slice(0, 1), ...units.slice(at + 2)];
  return [...fresh, ...units.slice(1)];
}

/** A turn of an agent: one to three files, by one tool or another. */
export function turn(story: Story, agent: Agent, dice: Dice): void {
  story.begin(agent);
  for (let edits = 1 + dice.below(2); edits > 0; edits--) act(story, agent, dice);
  story.end(agent);
}

function act(story: Story, agent: Agent, dice: Dice): void {
  const path = story.anyFile(dice);
  const how = dice.below(12);
  if (path === undefined || how < 7) return void write(story, agent, dice);
  if (how === 7) return moveFile(story, agent, path, story.freeName(dice));
  if (how === 8) return format(story, agent, path);
  if (how === 9) return moveLines(story, agent, path, dice);
  if (how === 10) return bySubAgent(story, agent, dice);
  appendByShell(story, agent, path, dice);
}

export function moveFile(story: Story, author: Author, from: string, to: string): void {
  story.tell(`${author}: mv ${from} ${to}`);
  story.changes(story.changedBy.get(from) ?? [], to);
  const move = () => {
    story.repo.write(to, story.repo.read(from));
    story.repo.run('rm', [from]);
  };
  if (author === 'user') move();
  else story.shell(author, `mv ${from} ${to}`, move);
}

/** Another layout, by a formatter that somebody runs. */
export function format(story: Story, author: Author, path: string): void {
  story.tell(`${author}: formats ${path}`);
  const run = () => void story.repo.write(path, reindented(story.repo.read(path)));
  if (author === 'user') run();
  else story.shell(author, `fmt ${path}`, run);
}

/** Lines go from one file into another one: whoever carries them, they are whose they were. */
export function moveLines(story: Story, author: Author, from: string, dice: Dice): void {
  const units = story.units(from);
  if (units.length < 3) return void write(story, author, dice);
  const at = dice.below(units.length - 1);
  const to = story.anyName(dice);
  if (to === from) return void write(story, author, dice);
  const moved = units.slice(at, at + 2);
  story.tell(`${author}: moves lines from ${from} to ${to}`);
  story.put(author, from, [...units.slice(0, at), ...units.slice(at + 2)]);
  story.put(author, to, [...story.units(to), ...moved]);
}

function appendByShell(story: Story, agent: Agent, path: string, dice: Dice): void {
  const units = [...story.units(path), ...story.truth.newUnits(agent, 1 + dice.below(2), dice)];
  story.tell(`${agent}: appends to ${path} in its shell`);
  story.shell(agent, `cat >> ${path}`, () => void story.repo.write(path, render(units)));
}

function bySubAgent(story: Story, agent: Agent, dice: Dice): void {
  const path = story.freeName(dice);
  story.tell(`${agent}: a sub-agent writes ${path}`);
  const number = story.number();
  const sub = new SubAgent(story.begin(agent), {
    toolUseId: `toolu_sub${number}`,
    agentId: `a${number}7d87b824786`,
  });
  story.changes([agent], path);
  sub.start();
  sub.edit(path, render(story.truth.newUnits(agent, 2 + dice.below(2), dice)));
  sub.finish();
}

/** A person types in a file before and after an agent does, all in one turn. */
export function sideBySide(story: Story, agent: Agent, dice: Dice): void {
  const path = story.anyFile(dice) ?? write(story, 'user', dice);
  story.begin(agent);
  if (dice.chance(60)) write(story, 'user', dice, path);
  write(story, agent, dice, path);
  if (dice.chance(60)) write(story, 'user', dice, path);
  story.end(agent);
}

/** Two sessions are in a turn at the same time, in files of both; a person may type in between. */
export function together(story: Story, dice: Dice): void {
  for (const agent of AGENTS) story.begin(agent);
  const path = write(story, dice.oneOf(AGENTS), dice);
  if (dice.chance(50)) write(story, 'user', dice);
  for (const agent of AGENTS) write(story, agent, dice, dice.chance(50) ? path : undefined);
  for (const agent of AGENTS) story.end(agent);
}
