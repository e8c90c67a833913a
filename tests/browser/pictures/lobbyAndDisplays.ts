import { startTestServer } from '../../server/support/testServer.ts';
import { record } from '../support/recordedViews.ts';
import { statesOf, controlSocket, tilesAt } from '../support/scriptedPage.ts';
import { type Scene } from './scene.ts';
import { screens } from '../support/screens.ts';

const lobby: Scene = {
  name: 'lobby',
  shoot: async (page, take) => {
    const floor = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
    const { cut } = await controlSocket(page, () => [{ type: 'lobby', version: 1, tiles: tilesAt(Date.now()) }]);
    await page.goto(floor.address);
    await page.waitForSelector('.tile');
    await take();
    cut();
    await page.waitForSelector('[data-testid=connection]');
    await take('connection-lost');
    await floor.close();
  },
};

/** The display of a table. */
const display = (game: string): Scene => ({
  name: `display-${game}`,
  shoot: async (page, take, language) => {
    const floor = await startTestServer({ screensFolder: await screens(), tables: [game] });
    const states = statesOf(await record(game));
    let [, view] = states[0]!;
    const { send } = await controlSocket(page, () => [{ type: 'table', table: game, version: 1, view }]);
    await page.goto(`${floor.address}display/${game}?lang=${language}`);
    await page.waitForSelector('.display');
    for (const [n, [state, next]] of states.entries()) {
      view = next;
      send({ type: 'table', table: game, version: n + 2, view });
      await take(state);
    }
    await floor.close();
  },
});

/** Screens other than the terminal. */
export const lobbyAndDisplays: readonly Scene[] = [lobby, display('tiger-no-commission'), display('sands-super')];
