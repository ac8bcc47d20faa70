import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import stringWidth from 'string-width';
import { capture } from '../support/screens/capture.ts';
import { fixedBuild, Shop } from '../support/screens/shop.ts';
import { SCREENS } from '../support/screens/table.ts';

test('screens', { timeout: 600_000 }, () => {
  const shop = new Shop(fixedBuild());
  try {
    shop.play();
    let all = '';
    const bad: string[] = [];
    for (const screen of SCREENS) {
      const name = [screen.command, ...screen.args].join(' ');
      for (const { width, plain, coloured } of capture(shop, screen)) {
        all += `\n$ entire ${name}   @${width}\n${plain}`;
        if (coloured.replace(/\x1b\[[\d;]*m/g, '') !== plain) { bad.push(`${name} @${width}: colours differ`); all += `[coloured]\n${coloured}`; }
        for (const line of plain.split('\n')) {
          if (stringWidth(line) > width) bad.push(`${name} @${width}: ${stringWidth(line)}: ${line}`);
          if (/\s$/.test(line)) bad.push(`${name} @${width}: trailing: ${line}$`);
        }
      }
    }
    writeFileSync('/tmp/h3-screens.txt', all);
    writeFileSync('/tmp/h3-bad.txt', bad.join('\n'));
    expect(bad.length).toBe(0);
  } finally {
    shop.remove();
  }
});
