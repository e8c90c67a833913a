// What is decided after three cards, whatever comes: what an interrupted round is judged by.
// In a checkout: npm run example certain
import { decidedWagers, orThrow, parseDealtCards, tiger, wagerIdsOf, wagerStatuses } from 'punto';

const cards = orThrow(parseDealtCards(['9C', '4H', '9D'], { deck: tiger.deck, decks: 8 }));
const { established, won, lost } = decidedWagers(tiger, wagerIdsOf(tiger), cards);
console.log(`After ${cards.join(' ')}: ${established ? 'something is decided' : 'everything is open'}`);
console.log(`won: ${won.join(', ') || 'none'}`);
console.log(`lost: ${lost.join(', ') || 'none'}`);

for (const { wager, result, why } of wagerStatuses(tiger, wagerIdsOf(tiger), cards)) {
  if (result !== 'open') console.log(`${wager} is ${result}:`, JSON.stringify(why));
}
