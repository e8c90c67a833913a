import { effect } from '@preact/signals';
import { render } from 'preact';
import { Reminder } from './limits/reminder.tsx';
import { Refilled } from './collect/demoRefill.tsx';
import { patron } from './app/connection.ts';
import { Lobby } from './lobby/lobby.tsx';
import { gameName } from '../shared/text/gameNames.ts';
import { page, view } from './app/state.ts';
import { Terminal } from './table/tableScreen.tsx';
import { words } from './app/strings.ts';

function Page() {
  return (
    <>
      {page.value === null ? <Lobby /> : <Terminal />}
      <Refilled />
      <Reminder />
    </>
  );
}

// Tabs and those who read pages out go by the title.
effect(() => {
  const { title } = words();
  document.title =
    view.value === null ? title : `${gameName(view.value.game.version, view.value.game.name)} · ${title}`;
});
render(<Page />, document.getElementById('page')!);
patron.open();
