// `npm run bench`: each figure is a ratio against a reference that runs beside it, so that a slow machine slows both.
// Names of benches may follow: `npm run bench -- odds`.
import { certainBench } from './certain.ts';
import { crowdBench } from './crowd.ts';
import { floorBench } from './floor.ts';
import { installBench } from './install.ts';
import { serverBench } from './server.ts';
import { nodesBench } from './nodes.ts';
import { oddsBench } from './odds.ts';
import { postgresBench } from './postgres.ts';
import { screensBench } from './screens.ts';
import { settleBench } from './settle.ts';
import { simulateBench } from './simulate.ts';
import { startBench } from './start.ts';
import { tableBench } from './table.ts';
import { viewsBench } from './views.ts';

const benches = {
  certain: certainBench,
  settle: settleBench,
  odds: oddsBench,
  simulate: simulateBench,
  table: tableBench,
  views: viewsBench,
  floor: floorBench,
  postgres: postgresBench,
  nodes: nodesBench,
  server: serverBench,
  crowd: crowdBench,
  start: startBench,
  screens: screensBench,
  install: installBench,
};
const wanted = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) for await (const line of bench()) console.log(line);
}
