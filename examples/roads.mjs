// The roads of a shoe: big road, derived roads, and what the next result would add to them.
// In a checkout: npm run example roads
import { roadsOf, rowsPerColumn } from 'punto/roads';

const winners = { P: 'player', B: 'banker', T: 'tie' };
const shoe = Array.from('BBPTBPPPPPPPBBTPBPPBBB', (letter) => ({
  winner: winners[letter],
  playerPair: false,
  bankerPair: false,
}));
const roads = roadsOf(shoe);

const columns = Math.max(...roads.bigRoad.map(({ column }) => column));
const grid = Array.from({ length: rowsPerColumn }, () => Array(columns).fill('.'));
for (const { row, column, winner } of roads.bigRoad) grid[row - 1][column - 1] = winner[0].toUpperCase();
console.log(grid.map((line) => line.join(' ')).join('\n'));

for (const road of ['bigEye', 'small', 'cockroach']) console.log(`${road}: ${roads.marksOf(road).join('')}`);
console.log('If Banker won next:', roads.ask('banker'));
console.log('If Player won next:', roads.ask('player'));
