import { games } from '../../../src/games/registry.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { Stage, phases, record } from '../support/recordedViews.ts';
import { late } from '../support/scriptedPage.ts';
import { type Scene } from './scene.ts';
import { screens } from '../support/screens.ts';

/** Each game in three phases with six cards and a stack on every spot, and with roads only. */
export const tables: readonly Scene[] = games.map(({ id }) => ({
  name: id,
  shoot: async (page, take) => {
    const floor = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
    const stage = await Stage.on(page);
    await page.goto(floor.address);
    const recording = late(await record(id));
    for (const phase of phases) {
      await stage.show(recording, phase);
      await take(phase);
    }
    await page.keyboard.press('v');
    await take('roads');
    await floor.close();
  },
}));
