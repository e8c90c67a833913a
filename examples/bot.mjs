// A bot that bets on Banker in each round and prints what it was paid.
// In a checkout: npm run example bot URL TABLE ROUNDS. In a project of your own it needs `npm install ws`.
import { PatronClient, createClientEnvironment, randomHex } from 'punto/client';
import { WebSocket } from 'ws';

const [url = 'http://127.0.0.1:2026/', table = 'X09', rounds = '3'] = process.argv.slice(2);
const socket = (address) => new WebSocket(address, { origin: new URL(url).origin });
const bot = new PatronClient(
  createClientEnvironment(socket),
  () => new URL('socket', url.replace(/^http/, 'ws')).href,
  randomHex(32),
);

const [bets, ends] = [new Set(), new Set()];
bot.watch(({ view, own }) => {
  if (view === null || own === null) return;
  const { phase, round, layout } = view;
  if (phase === 'betting' && !bets.has(round.id)) {
    bets.add(round.id);
    const { minimum } = layout.find(({ wager }) => wager === 'banker');
    void bot.slip(table, round.id, { banker: minimum }).then((answer) => console.log(round.number, answer.type));
  }
  if (own.paid === null || !bets.has(own.round.id) || ends.has(own.round.id)) return;
  ends.add(own.round.id);
  for (const { result, won, by } of own.paid) console.log(own.round.number, result, won, by, `credit ${own.credit}`);
  if (ends.size === Number(rounds)) bot.close();
});
bot.sit(table);
bot.open();
