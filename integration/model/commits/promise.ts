/**
 * What the product promises about a commit: the sessions whose lines it holds are linked, and nobody else.
 *
 * Where the promise is deliberately weaker than that, it is stated here and nowhere else. Each weakening names its
 * reason; `{@link Ledger.judge}` applies them:
 *
 * - W-ROW2: a file that existed before counts as the session's work whatever became of its lines, from the session's
 *   edit until a commit that is linked to the session takes the file. Whole files are remembered, not lines: people
 *   reformat what an agent wrote, and the work is still the agent's. Where nothing that it did is left, and the commit
 *   changes other places, it was undone, and need not count. (It is pending while it differs from HEAD.)
 * - W-NEW: a new file counts only when it holds what the agent left with lines missing, or more than half of it in
 *   order; of a file that was replaced some lines may survive by chance. Until the stop, or a commit of other work of
 *   the session, only its name is known, and the name decides.
 * - W-NAME: a file that the user renames is followed when a stop has saved it under its old name, nobody has put
 *   another file there, HEAD has none under the new one, and what is committed still counts by W-NEW, with most of the
 *   lines that HEAD has not under the old name: otherwise the commit has nothing that is the agent's for sure.
 * - W-UNREPORTED: what no hook reports is known from the next stop on, when `git status` finds it; a commit before
 *   that, or a stash that hides it from that stop, comes too early.
 * - W-BACK: a file that a stop finds as HEAD has it, or gone, or that a commit of other work of the session finds so
 *   before any stop, is work undone: what is done to it later has to be known anew.
 * - W-HANDS: what changes during a turn and nobody reports is the turn's, whoever typed it: the scan cannot see
 *   hands.
 * - W-TOGETHER: when the turns of two sessions overlap, or the other one has the file in hand, an unreported change
 *   is one of theirs: it is linked to at least one of the two.
 * - W-LEFT: a file that going back left as it is stays in the hands of its sessions by its name: whose lines it has is
 *   looked at with the next step. (Nothing that was recorded is forgotten.)
 * - W-STEP: what going back to a step of a session makes of a file may be its work, also where that was undone before:
 *   lines that the step had taken away are missing once more. What was one of theirs then (W-TOGETHER) is so again.
 * - W-SQUASH: `git commit -m` after `git merge --squash` is judged like any other commit. Git does not tell us: its
 *   `SQUASH_MSG` is there for an abandoned squash, too. A session is linked only if it still has one of the files in
 *   hand. A commit that takes git's squash message is left alone, also when the squash itself came to nothing and
 *   left its message behind.
 */
import type { CommitFacts, Elsewhere, Expectation } from './facts.ts';
import { Hand } from './hand.ts';
import {
  type Actor,
  FilesBySession,
  holdsMost,
  isPartOrExtension,
  isRestLeft,
  otherThan,
  ownedBy,
  SESSIONS,
  type SessionName,
  type Tree,
  type Unit,
} from './lines.ts';

export class Ledger {
  private readonly hands: Record<SessionName, Hand> = { A: new Hand(), B: new Hand() };
  /** What a stop or a commit could have saved of a path. */
  private readonly versions = new Map<string, string[][]>();
  /** Of those, the ones that a way back went behind: the rest of them is nothing that a commit left. */
  private readonly takenBack = new Set<string[]>();

  isActive = (session: SessionName): boolean => this.hands[session].active;

  prompt(session: SessionName): void {
    const hand = this.hands[session];
    if (!hand.active) {
      hand.strays.clear();
      hand.overlapped = false;
    }
    hand.active = true;
    const other = this.hands[otherThan(session)];
    if (!other.active) return;
    hand.overlapped = true;
    other.overlapped = true;
  }

  /** Somebody changed files of the worktree. */
  changed(actor: Actor, paths: Iterable<string>, reported: boolean): void {
    for (const path of paths) {
      for (const session of SESSIONS) {
        // W-HANDS: what another session reports is never taken for this one's.
        if (session !== actor && !reported && this.hands[session].active)
          this.hands[session].strays.add(path);
      }
      if (actor !== 'user') this.touched(actor, path, reported);
    }
  }

  private touched(session: SessionName, path: string, reported: boolean): void {
    const hand = this.hands[session];
    hand.pending.add(path);
    if (reported) {
      hand.known.add(path);
      hand.fresh.add(path);
      hand.named.add(path);
      hand.unreported.delete(path);
      if (hand.shared.delete(path)) hand.wasShared.add(path);
      const other = this.hands[otherThan(session)];
      if (other.unreported.has(path)) other.shared.add(path); // the scan will take it for this session's
    } else if (!hand.fresh.has(path)) {
      hand.unreported.add(path);
      const other = this.hands[otherThan(session)];
      if (hand.overlapped || other.pending.has(path)) hand.shared.add(path);
      if (other.unreported.has(path)) other.shared.add(path);
    }
  }

  /** Somebody gave a file another name. Where it was a session, the other's work may be found in it all the same. */
  rename(from: string, to: string, by: Actor): void {
    for (const session of SESSIONS) {
      const hand = this.hands[session];
      if (session === by || !hand.pending.has(from)) continue;
      const old = hand.renamed.get(from) ?? from;
      if (by === 'user' && hand.known.has(old) && !hand.named.has(old)) hand.followed.add(to);
      else hand.followed.delete(to);
      hand.renamed.set(to, old);
      hand.pending.add(to);
      if (hand.shared.has(from)) hand.shared.add(to);
    }
  }

  stop(session: SessionName, { dirty, stashed }: Elsewhere, worktree: Tree): void {
    const hand = this.hands[session];
    const other = this.hands[otherThan(session)];
    for (const path of hand.unreported) if (dirty.has(path)) hand.known.add(path);
    for (const path of hand.known) {
      if (dirty.has(path) || stashed.has(path)) continue;
      hand.known.delete(path); // W-BACK
      if (hand.fresh.has(path)) hand.pending.delete(path);
    }
    for (const path of hand.strays) {
      if (!dirty.has(path)) continue;
      hand.pending.add(path);
      if (other.unreported.has(path)) other.shared.add(path); // taken for this session's, and not for the other's
    }
    for (const path of [...hand.fresh, ...hand.unreported]) {
      if (dirty.has(path) && !hand.shared.has(path) && !other.pending.has(path)) this.versions.delete(path);
    }
    for (const set of [hand.unreported, hand.fresh, hand.named, hand.strays]) set.clear();
    hand.active = false;
    this.remember(worktree);
    this.rememberStashed(hand, dirty, stashed);
  }

  /**
   * A way back changed a file in which a session had worked, to lines `now`. `holds`: it has something of the session's that HEAD has not. `isTold`: it is the
   * session's own work that was taken back, so what is as HEAD has it is nothing of its any more.
   */
  wentBack(
    session: SessionName,
    path: string,
    where: Elsewhere,
    { now, holds, isTold }: { now: readonly string[] | undefined; holds: boolean; isTold: boolean },
  ): void {
    const hand = this.hands[session];
    if (holds && !hand.unreported.has(path)) {
      hand.known.add(path);
      hand.pending.add(path);
    }
    if (where.dirty.has(path) && isTold) hand.pending.add(path); // W-HANDS: of its step, whoever typed it
    if (isTold && !holds) hand.known.delete(path);
    if (hand.wasShared.has(path)) hand.shared.add(path); // W-TOGETHER: what is left may be from before it was told
    for (const version of this.versions.get(path) ?? [])
      if (version.join() === now?.join()) this.takenBack.delete(version);
      else this.takenBack.add(version);
    if (where.dirty.has(path) || where.stashed.has(path)) return;
    hand.known.delete(path); // W-BACK
    if (isTold) hand.settle(path, where.dirty);
  }

  /** W-STEP */
  isAsInStep(session: SessionName, path: string): void {
    const hand = this.hands[session];
    hand.pending.add(path);
    hand.stayed.add(path);
    if (hand.wasShared.has(path)) hand.shared.add(path);
  }

  /** W-LEFT */
  stays(path: string): void {
    for (const session of SESSIONS) {
      const hand = this.hands[session];
      if (hand.pending.has(path)) hand.stayed.add(path);
    }
  }

  judge({ added, paths, before, after, worktree }: CommitFacts, owner: (unit: Unit) => Actor): Expectation {
    const [must, may] = [new FilesBySession(), new FilesBySession()];
    let atLeastOne = false;
    for (const { path, session } of added.flatMap((unit) => ownedBy(unit, owner(unit)))) {
      const hand = this.hands[session];
      may.add(session, path);
      if (hand.shared.has(path)) may.add(otherThan(session), path);
      if (!this.isKnown(hand, path, before, worktree)) continue;
      if (!before.has(path) && !this.countsAsNew(hand, path, before, after)) continue;
      if (hand.shared.has(path)) atLeastOne = true;
      else must.add(session, ...(paths.has(path) ? [path] : []));
    }
    for (const session of SESSIONS) {
      const hand = this.hands[session];
      for (const path of [...paths, ...added.map((unit) => unit.path)]) {
        if (hand.pending.has(path) && this.countsByName(hand, path, before, after)) may.add(session, path);
      }
    }
    return { must, may, atLeastOne };
  }

  /** W-UNREPORTED and W-NAME */
  private isKnown(hand: Hand, path: string, before: Tree, worktree: Tree): boolean {
    if (hand.known.has(path)) return true;
    if (before.has(path)) return false;
    const old = hand.renamed.get(path);
    return old !== undefined && hand.followed.has(path) && hand.known.has(old) && !worktree.has(old);
  }

  /** W-NEW: whether a new file counts for certain. One that was gone by the stop was never seen. */
  private countsAsNew(hand: Hand, path: string, before: Tree, after: Tree): boolean {
    const [saved, lines] = [this.versions.get(path) ?? [], after.get(path)?.lines ?? []];
    const old = before.get(hand.renamed.get(path) ?? '')?.lines ?? [];
    const counts = (one: readonly string[]): boolean =>
      isPartOrExtension(one, lines) && (hand.known.has(path) || holdsMost(one, old, lines));
    return hand.named.has(path) || (saved.length > 0 && saved.every(counts));
  }

  /** W-ROW2, and W-NEW: whether a path can count although it holds no line of the session. */
  private countsByName(hand: Hand, path: string, before: Tree, after: Tree): boolean {
    if (before.has(path) || hand.fresh.has(path) || hand.strays.has(path) || hand.stayed.has(path))
      return true;
    const versions = this.saved(hand, path);
    const lines = after.get(path)?.lines ?? [];
    return versions.length === 0 || versions.some((saved) => isPartOrExtension(saved, lines));
  }

  private saved(hand: Hand, path: string): readonly string[][] {
    const old = hand.renamed.get(path);
    return [...(this.versions.get(path) ?? []), ...(old === undefined ? [] : (this.versions.get(old) ?? []))];
  }

  /** A commit is linked to sessions: what it took, they have no more in hand; what it left is kept with its content. */
  settle(
    { added, before, after, worktree }: CommitFacts,
    linked: ReadonlySet<SessionName>,
    { dirty, stashed }: Elsewhere,
  ): void {
    const taken = new Set(added.map(({ path }) => path));
    for (const session of linked) {
      const hand = this.hands[session];
      for (const path of taken) {
        if (dirty.has(path)) continue;
        const saved = (this.versions.get(path) ?? []).filter((version) => !this.takenBack.has(version));
        const versions = [...saved, ...(stashed.get(path) ?? [])];
        const rest = isRestLeft(after.get(path)?.lines, versions, before.get(path)?.lines ?? []);
        if (rest === 'no') hand.settle(path, dirty);
        if (rest === 'perhaps') hand.known.delete(path);
      }
      for (const path of hand.known) {
        if (dirty.has(path) || stashed.has(path)) continue;
        // W-BACK; or a commit that was linked to nobody has it.
        if (hand.named.has(path) || this.isSaved(path, after)) hand.known.delete(path);
      }
      hand.named.clear();
      this.rememberStashed(hand, dirty, stashed);
    }
    // W-TOGETHER: one of the two was linked, so it is not sure that the other still has the file in hand.
    if (linked.size > 0) {
      for (const session of SESSIONS) {
        const { shared, known, fresh } = this.hands[session];
        for (const path of taken) {
          if (!shared.has(path) || dirty.has(path)) continue;
          known.delete(path);
          fresh.delete(path);
        }
      }
    }
    for (const path of this.versions.keys()) {
      if (!SESSIONS.some((session) => this.hands[session].pending.has(path))) this.versions.delete(path);
    }
    if (linked.size > 0) this.remember(worktree);
  }

  private isSaved(path: string, tree: Tree): boolean {
    const lines = (tree.get(path)?.lines ?? []).join();
    return (this.versions.get(path) ?? []).some((saved) => saved.join() === lines);
  }

  private remember(worktree: Tree): void {
    for (const path of new Set(SESSIONS.flatMap((session) => [...this.hands[session].pending]))) {
      const file = worktree.get(path);
      if (file) this.addVersions(path, [[...file.lines]]);
    }
  }

  private rememberStashed(hand: Hand, dirty: ReadonlySet<string>, stashed: Elsewhere['stashed']): void {
    for (const path of hand.known) {
      if (!dirty.has(path)) this.addVersions(path, stashed.get(path) ?? []);
    }
  }

  private addVersions(path: string, versions: readonly string[][]): void {
    this.versions.set(path, [...(this.versions.get(path) ?? []), ...versions]);
  }
}
