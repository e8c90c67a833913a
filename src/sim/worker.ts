import { parentPort, workerData } from 'node:worker_threads';
import { type BatchResult, type BatchOrder, type WorkerTask, kernelSimulator, rulesSimulator } from './play.ts';

// Worker thread of a simulation: plays each batch that it is ordered to play.

const { simulation, engine } = workerData as WorkerTask;
const simulator = engine === 'rules' ? rulesSimulator(simulation) : kernelSimulator(simulation);

parentPort!.on('message', (order: BatchOrder) => {
  const done: BatchResult = { ...order, ...simulator.play(order.fromShoe, order.shoes) };
  parentPort!.postMessage(done);
});
