import { effect } from '@preact/signals';
import { render } from 'preact';
import { RealityCheckDialog } from './sessionLimits/realityCheckDialog.tsx';
import { DemoRefillNotice } from './money/demoRefillNotice.tsx';
import { patronClient } from './app/connection.ts';
import { Lobby } from './lobby/lobby.tsx';
import { gameName } from '../shared/text/gameNames.ts';
import { openTableId, tableView } from './app/state.ts';
import { TableScreen } from './table/tableScreen.tsx';
import { patronStrings } from './app/strings.ts';

function Page() {
  return (
    <>
      {openTableId.value === null ? <Lobby /> : <TableScreen />}
      <DemoRefillNotice />
      <RealityCheckDialog />
    </>
  );
}

// Browser tabs and screen readers use the title of the page.
effect(() => {
  const { title } = patronStrings();
  document.title =
    tableView.value === null
      ? title
      : `${gameName(tableView.value.game.version, tableView.value.game.name)} · ${title}`;
});
render(<Page />, document.getElementById('page')!);
patronClient.open();
