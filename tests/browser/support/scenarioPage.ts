import { type Page } from 'playwright-core';
import { PublicViewBuilder } from '../../../src/server/tables/publicViewBuilder.ts';
import { type StoredEntry } from '../../../src/store/store.ts';
import { type ServerMessage, type ServerMessageOf } from '../../../src/wire/messages.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { type TableScenario } from '../../table/tableScenario.ts';
import { freshPage } from './browser.ts';
import { Stage } from './recordedViews.ts';

/** A page that receives the views of a table that the test plays at. */
export async function scenarioPage(
  address: string,
): Promise<{ stage: Stage; page: Page; show: (scenario: TableScenario) => Promise<void> }> {
  const { page } = await freshPage(1366, 768);
  const stage = await Stage.on(page);
  await page.goto(address);
  let version = 0;
  const show = async (scenario: TableScenario): Promise<void> => {
    const entries = scenario.entries.map(
      (entry, place) => ({ ...structuredClone(entry), sequence: place + 1 }) as unknown as StoredEntry,
    );
    const builder = new PublicViewBuilder(
      { table: structuredClone(scenario.table!), sequence: entries.length },
      entries,
    );
    const table = JSON.parse(builder.fullMessage()) as ServerMessageOf<'table'>;
    version += 1;
    const own: ServerMessage = {
      type: 'own',
      table: table.table,
      version,
      view: builder.terminalTableView('T9', 'T9', 100_000),
    };
    const welcome: ServerMessage = {
      type: 'welcome',
      v: protocolVersion,
      at: scenario.at,
      terminal: 'T9',
      demo: true,
    };
    await stage.showMessages(table.table, welcome, table, own);
    const { number } = table.view.round ?? { number: '–' };
    await page.waitForFunction(
      ([round, results, game]) =>
        document.querySelector('[data-testid=game]')?.textContent === String(round) &&
        document.querySelector('.terminal')?.getAttribute('data-results') === String(results) &&
        document.querySelector('.bar-title h1')?.textContent === game,
      [number, table.view.results.length, table.view.game.name] as const,
    );
  };
  return { stage, page, show };
}
