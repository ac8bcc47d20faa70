// @ts-check
// The script of an exported page, as it stands there: it runs before the conversation is there, listens to the whole document, and
// works without any of what it asks the browser for.
(() => {
  /** More places than anybody goes to. */
  const MAX_FOUND = 10_000;
  /** Turns around the one that is looked at in which everything that was found is marked. */
  const MARKED_TURNS = 10;
  const root = document.documentElement;
  root.classList.add('js');

  /** @template {Element} T @param {string} selector @param {new () => T} type @returns {T | undefined} */
  const one = (selector, type) => {
    const element = document.querySelector(selector);
    return element instanceof type ? element : undefined;
  };
  const turns = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.turn')]);
  const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

  // --- Light and dark ---

  const THEME = 'entire-theme';
  /** @param {string | null} theme */
  const showTheme = (theme) => {
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  };
  try {
    showTheme(localStorage.getItem(THEME));
  } catch {
    // A page from a file may have no storage: it follows the system.
  }
  const switchTheme = () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    const theme = isDark ? 'light' : 'dark';
    showTheme(theme);
    try {
      localStorage.setItem(THEME, theme);
    } catch {
      // It holds for as long as the page is open.
    }
  };

  // --- What is folded ---

  /** @param {boolean} open */
  const foldAll = (open) => {
    for (const fold of document.querySelectorAll('details')) fold.open = open;
  };
  const switchFolds = () => foldAll(document.querySelector('details:not([open])') !== null);
  /** @param {Node | null} node */
  const unfold = (node) => {
    for (let at = node; at; at = at.parentNode) if (at instanceof HTMLDetailsElement) at.open = true;
  };
  /** @type {HTMLDetailsElement[]} */
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details')].filter(({ open }) => !open);
    for (const fold of folded) fold.open = true;
  });
  addEventListener('afterprint', () => {
    for (const fold of folded) fold.open = false;
    folded = [];
  });

  // --- Search ---

  /** Letters in one case; every character stays where it is. @param {string} text */
  const fold = (text) => {
    const lower = text.toLowerCase();
    if (lower.length === text.length) return lower;
    return Array.from(text, (char) =>
      char.toLowerCase().length === char.length ? char.toLowerCase() : char,
    ).join('');
  };
  /** @type {Map<HTMLElement, string>} */
  const texts = new Map();
  /** @param {HTMLElement} turn */
  const textOf = (turn) => {
    const known = texts.get(turn);
    if (known !== undefined) return known;
    const text = fold(turn.textContent ?? '');
    if (document.readyState !== 'loading') texts.set(turn, text);
    return text;
  };
  let query = '';
  /** @type {{ turn: HTMLElement, start: number }[]} */
  let found = [];
  let current = -1;

  /** @param {string} text */
  const search = (text) => {
    query = fold(text.trim());
    found = [];
    current = -1;
    if (query === '') return;
    for (const turn of [...document.querySelectorAll('.about'), ...turns()]) {
      if (!(turn instanceof HTMLElement)) continue;
      const inside = textOf(turn);
      for (let at = inside.indexOf(query); at !== -1; at = inside.indexOf(query, at + query.length)) {
        if (found.length === MAX_FOUND) return;
        found.push({ turn, start: at });
      }
    }
  };

  /**
   * The places of a turn that start at these characters, which are in order.
   * @param {HTMLElement} turn @param {number[]} starts
   */
  const rangesIn = (turn, starts) => {
    const walker = document.createTreeWalker(turn, NodeFilter.SHOW_TEXT);
    /** @type {Range[]} */
    const ranges = [];
    let node = walker.nextNode();
    let before = 0;
    /** @param {number} at @param {boolean} isEnd @returns {[Node, number] | undefined} */
    const place = (at, isEnd) => {
      for (; node; node = walker.nextNode()) {
        const length = node.nodeValue?.length ?? 0;
        if (at < before + length || (isEnd && at === before + length)) return [node, at - before];
        before += length;
      }
      return undefined;
    };
    for (const start of starts) {
      const from = place(start, false);
      const to = place(start + query.length, true);
      if (!from || !to) break;
      const range = document.createRange();
      range.setStart(...from);
      range.setEnd(...to);
      ranges.push(range);
    }
    return ranges;
  };

  const mark = () => {
    const here = found[current];
    /** @type {Map<HTMLElement, number[]>} */
    const near = new Map();
    const around = turns();
    const at = here ? around.indexOf(here.turn) : 0;
    const close = new Set(around.slice(Math.max(0, at - MARKED_TURNS), at + MARKED_TURNS + 1));
    for (const { turn, start } of found)
      if (turn === here?.turn || close.has(turn)) near.set(turn, [...(near.get(turn) ?? []), start]);
    const ranges = [...near].flatMap(([turn, starts]) => rangesIn(turn, starts));
    const [own] = here ? rangesIn(here.turn, [here.start]) : [];
    if (typeof Highlight === 'function') {
      CSS.highlights.set('found', new Highlight(...ranges));
      CSS.highlights.set('current', new Highlight(...(own ? [own] : [])));
    } else if (own) {
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(own);
    }
    return own;
  };

  const tell = () => {
    const output = one('.bar output', HTMLOutputElement);
    if (!output) return;
    const more = found.length === MAX_FOUND ? '+' : '';
    if (query === '') output.value = '';
    else if (found.length === 0) output.value = 'none';
    else output.value = `${current + 1} of ${found.length}${more}`;
    for (const button of document.querySelectorAll('.bar form button'))
      if (button instanceof HTMLButtonElement) button.disabled = found.length === 0;
  };

  /** @param {Range} range */
  const scrollTo = (range) => {
    const { top, bottom } = range.getBoundingClientRect();
    if (top < 80 || bottom > innerHeight - 40) scrollBy({ top: top - innerHeight / 3, behavior: 'instant' });
    const box = range.startContainer.parentElement?.closest('pre');
    if (!box) return;
    const inner = box.getBoundingClientRect();
    const line = range.getBoundingClientRect();
    if (line.top < inner.top || line.bottom > inner.bottom)
      box.scrollTop += line.top - inner.top - inner.height / 3;
    if (line.left < inner.left || line.right > inner.right)
      box.scrollLeft += line.left - inner.left - inner.width / 3;
  };

  /** @param {number} by */
  const step = (by) => {
    if (found.length > 0) current = (current + by + found.length) % found.length;
    tell();
    const range = mark();
    if (!range) return;
    unfold(range.startContainer);
    range.startContainer.parentElement?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    scrollTo(range);
    requestAnimationFrame(() => scrollTo(range)); // what is on the screen now may be higher than it was thought to be
  };

  let timer = 0;
  /** @param {HTMLInputElement} input */
  const searchSoon = (input) => {
    clearTimeout(timer);
    timer = setTimeout(() => searchNow(input, 1), 150);
  };
  /** @param {HTMLInputElement} input @param {number} by */
  const searchNow = (input, by) => {
    clearTimeout(timer);
    if (fold(input.value.trim()) !== query) {
      search(input.value);
      by = 1;
    }
    step(by);
  };

  // --- Keys and clicks ---

  /** @param {number} by */
  const stepTurn = (by) => {
    const all = turns();
    const here = all.findIndex((turn) => turn.getBoundingClientRect().bottom > 100);
    const top = all[here]?.getBoundingClientRect().top ?? 0;
    const next = all[by > 0 ? here + 1 : top < 0 ? here : here - 1];
    next?.scrollIntoView({ behavior: isStill() ? 'instant' : 'smooth' });
  };

  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    const input = one('#find', HTMLInputElement);
    if (button?.id === 'theme') switchTheme();
    else if (button?.id === 'folds') switchFolds();
    else if (button?.id === 'before' && input) searchNow(input, -1);
  });
  document.addEventListener('submit', (event) => {
    event.preventDefault();
    const input = one('#find', HTMLInputElement);
    if (input) searchNow(input, 1);
  });
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement) searchSoon(target);
  });
  document.addEventListener('keydown', (event) => {
    const input = one('#find', HTMLInputElement);
    if (!input || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target === input) {
      if (event.key === 'Enter' && event.shiftKey) searchNow(input, -1);
      else if (event.key === 'Escape') {
        input.value = '';
        searchNow(input, 1);
        input.blur();
      } else return;
    } else if (event.key === '/') input.select();
    else if (event.key === 'j' || event.key === 'k') stepTurn(event.key === 'j' ? 1 : -1);
    else if (event.key === 'e') switchFolds();
    else return;
    event.preventDefault();
  });

  // --- Where one is ---

  document.addEventListener('DOMContentLoaded', () => {
    texts.clear();
    tell();
    /** @type {Map<string, Element>} */
    const links = new Map(
      [...document.querySelectorAll('nav a')].map((link) => [link.getAttribute('href') ?? '', link]),
    );
    /** @type {Set<Element>} */
    const near = new Set();
    const seen = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) near.add(target);
          else near.delete(target);
        const [first] = [...near].sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1));
        const link = first && links.get(`#${first.id}`);
        if (!link) return;
        for (const other of document.querySelectorAll('nav [aria-current]'))
          other.removeAttribute('aria-current');
        link.setAttribute('aria-current', 'true');
        const list = link.closest('nav');
        if (!list || list.scrollHeight === list.clientHeight) return;
        const { top, bottom } = link.getBoundingClientRect();
        const outer = list.getBoundingClientRect();
        if (top < outer.top || bottom > outer.bottom) list.scrollTop += top - outer.top - outer.height / 2;
      },
      { rootMargin: '-20% 0px -70% 0px' },
    );
    for (const turn of turns()) seen.observe(turn);
  });
})();
