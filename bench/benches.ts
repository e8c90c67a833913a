import { type Bench } from './support/bench.ts';
import { certainBench } from './certain.ts';
import { crowdBench } from './crowd.ts';
import { floorBench } from './floor.ts';
import { installBench } from './install.ts';
import { nodesBench } from './nodes.ts';
import { oddsBench } from './odds.ts';
import { postgresBench } from './postgres.ts';
import { screensBench } from './screens.ts';
import { serverBench } from './server.ts';
import { settleBench } from './settle.ts';
import { simulateBench } from './simulate.ts';
import { startBench } from './start.ts';
import { tableBench } from './table.ts';
import { viewsBench } from './views.ts';

/** Every bench by its name, in the order in which they run. */
export const benches: { readonly [name: string]: Bench } = {
  certain: { run: certainBench },
  settle: { run: settleBench },
  odds: { run: oddsBench },
  simulate: { run: simulateBench },
  table: { run: tableBench },
  views: { run: viewsBench },
  floor: { run: floorBench },
  postgres: { run: postgresBench },
  nodes: { run: nodesBench },
  server: { run: serverBench },
  crowd: { run: crowdBench },
  start: { run: startBench },
  screens: { run: screensBench, shortTest: 'tests/browser/build/screenBench.test.ts' },
  install: { run: installBench },
};
