import { type Shares, sumOf } from '../../origin/line-shares.ts';
import { renderCount } from '../session/show/view.ts';
import { percentages } from './percentages.ts';

/** Lines by whose they are, with their shares: never one without the unknown one. */
export function renderShares(shares: Shares): string {
  const { agent, human, unknown } = shares;
  const [ofAgent, ofHuman, ofUnknown] = percentages([agent, human, unknown]);
  const all = sumOf(shares);
  return `${renderCount(all)} ${all === 1 ? 'line' : 'lines'}: agent ${renderCount(agent)} (${ofAgent}%), human ${renderCount(human)} (${ofHuman}%), unknown ${renderCount(unknown)} (${ofUnknown}%)`;
}
