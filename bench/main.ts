// `npm run bench`: each line is one ratio against a reference that runs beside it, so that a slow machine slows both.
import { certainBench } from './certain.ts';
import { settleBench } from './settle.ts';

for (const bench of [certainBench, settleBench]) for (const line of bench()) console.log(line);
