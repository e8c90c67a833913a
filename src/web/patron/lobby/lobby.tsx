import { Overlays } from '../overlays.tsx';
import { RoundNoticePanel, firstRoundNotice } from '../notices/roundNotice.tsx';
import { Tiles } from './tiles.tsx';
import { LobbyBar } from './topBar.tsx';
import { DisplayLinks } from './displayLinks.tsx';
import { lobbyStrings } from './strings.ts';

export function Lobby() {
  const t = lobbyStrings();
  return (
    <div class="lobby">
      <LobbyBar />
      {firstRoundNotice.value !== null && (
        <div class="notice lobby-notice">
          <RoundNoticePanel />
        </div>
      )}
      <main class="lobby-main">
        <Tiles />
      </main>
      <DisplayLinks />
      <footer class="lobby-foot">
        <span>{t.malfunction}</span>
        <span>{t.past}</span>
      </footer>
      <Overlays />
    </div>
  );
}
