import { render } from 'preact';
import { connect } from './link.ts';
import { Lobby } from './lobby.tsx';
import { page } from './state.ts';
import { Terminal } from './terminal.tsx';
import { language } from './words.ts';

function Page() {
  return page.value === null ? <Lobby /> : <Terminal />;
}

document.documentElement.lang = language.value === 'en' ? 'en' : 'zh-Hans';
render(<Page />, document.getElementById('page')!);
connect();
