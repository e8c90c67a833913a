import { effect } from '@preact/signals';
import { render } from 'preact';
import { Reminder } from './care/reminder.tsx';
import { Refilled } from './collect/refilled.tsx';
import { patron } from './link.ts';
import { Lobby } from './lobby/lobby.tsx';
import { gameName } from '../shared/names.ts';
import { page, view } from './state.ts';
import { Terminal } from './terminal/terminal.tsx';
import { words } from './words.ts';

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
