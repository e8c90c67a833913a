// A PAR sheet: exact chances of every wager from a fresh shoe, and from what a shoe has left.
// In a checkout: npm run example par
import { baccarat, orThrow } from 'punto';
import { parseComposition, freshShoe, oddsOf, formatFraction, parSheetOf } from 'punto/odds';

const sheet = parSheetOf(baccarat, freshShoe({ deck: baccarat.deck, decks: 8 }));
console.log(`${sheet.name}, ${sheet.hash}, ${sheet.deals} deals`);
for (const [wager, { outcomes, expected, houseEdge }] of Object.entries(sheet.wagers)) {
  console.log(`${wager}: house edge ${(100 * houseEdge).toFixed(4)} %, expected ${formatFraction(expected)}`);
  for (const { net, count } of outcomes) console.log(`  ${net.join(' to ')}: ${count} deals`);
}

const left = orThrow(parseComposition({ '9S': 4, '8H': 4, KD: 8, '2C': 1 }, 'french'));
const { tie } = oddsOf(baccarat, left).wagers;
console.log(`With 17 cards left a Tie returns ${formatFraction(tie.expected)} of its stake beyond it.`);
