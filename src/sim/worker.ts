import { parentPort, workerData } from 'node:worker_threads';
import { type BatchResult, type BatchOrder, type WorkerTask, kernelSimulator, rulesSimulator } from './play.ts';

// Worker thread of a simulation: plays one ordered batch after another.

const { simulation, through } = workerData as WorkerTask;
const player = through === 'rules' ? rulesSimulator(simulation) : kernelSimulator(simulation);

parentPort!.on('message', (order: BatchOrder) => {
  const done: BatchResult = { ...order, ...player.play(order.fromShoe, order.shoes) };
  parentPort!.postMessage(done);
});
