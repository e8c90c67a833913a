import { parentPort, workerData } from 'node:worker_threads';
import { type Done, type Order, type Task, fastPlayer, rulesPlayer } from './play.ts';

// One thread of a simulation: plays the shoes it is told to, one batch after the other.

const { simulation, through } = workerData as Task;
const player = through === 'rules' ? rulesPlayer(simulation) : fastPlayer(simulation);

parentPort!.on('message', (order: Order) => {
  const done: Done = { ...order, ...player.play(order.fromShoe, order.shoes) };
  parentPort!.postMessage(done);
});
