// Settle a round: what each stake comes to, exactly, and by which clause.
// In a checkout: npm run example settle
import { orThrow, parseDeal, settle, tiger } from 'punto';

const { hands, facts } = orThrow(parseDeal(['KC', '2D', '5H', '4S', '7C', 'KD'], { deck: tiger.deck, decks: 8 }));
console.log(`Player ${hands.player.join(' ')}, Banker ${hands.banker.join(' ')}: ${facts.winner} wins`);

for (const [wager, stake] of Object.entries({ banker: 10_000, tiger: 500, tie: 500 })) {
  const { result, won, returned, by } = orThrow(settle(tiger, wager, facts, stake));
  console.log(`${wager}: stake ${stake}, ${result}, won ${won}, returned ${returned} [${by}]`);
}
