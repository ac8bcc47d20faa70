/** What is known of one session, from what the steps did and told, never from what the tool wrote down. */
export class Hand {
  active = false;
  /** Paths that a hook reported, or that a stop found. */
  readonly known = new Set<string>();
  /** Of those, the ones reported since the last stop. */
  readonly fresh = new Set<string>();
  /** Of those, the ones whose content no commit of other work has kept since either. */
  readonly named = new Set<string>();
  /** Changed without a report, and not found yet. */
  readonly unreported = new Set<string>();
  /** W-TOGETHER */
  readonly shared = new Set<string>();
  /** Those that were, before the session reported them. */
  readonly wasShared = new Set<string>();
  /** W-ROW2: touched, and not taken by a commit since. */
  readonly pending = new Set<string>();
  /** W-NAME: new names, with the old ones. */
  readonly renamed = new Map<string, string>();
  /** W-NAME: of the new names, those whose old one a stop had saved before. */
  readonly followed = new Set<string>();
  /** W-HANDS: changed by somebody else during the running turn. */
  readonly strays = new Set<string>();
  /** W-LEFT */
  readonly stayed = new Set<string>();
  /** The other session had a turn during the running turn of this one. */
  overlapped = false;

  settle(path: string, dirty: ReadonlySet<string>): void {
    const old = this.renamed.get(path);
    this.renamed.delete(path);
    if (old !== undefined && !dirty.has(old)) this.settle(old, dirty);
    const { known, fresh, named, unreported, shared, wasShared, pending, strays, stayed } = this;
    for (const set of [known, fresh, named, unreported, shared, wasShared, pending, strays, stayed])
      set.delete(path);
  }
}
