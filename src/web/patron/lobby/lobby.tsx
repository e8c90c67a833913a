import { Overlays } from '../overlays.tsx';
import { RoundNoticePanel, oldestUnreadRoundNotice } from '../roundNotices/roundNotice.tsx';
import { TableTiles } from './tiles.tsx';
import { LobbyTopBar } from './topBar.tsx';
import { DisplayLinks } from './displayLinks.tsx';
import { lobbyStrings } from './strings.ts';

export function Lobby() {
  const t = lobbyStrings();
  return (
    <div class="lobby">
      <LobbyTopBar />
      {oldestUnreadRoundNotice.value !== null && (
        <div class="notice lobby-notice">
          <RoundNoticePanel />
        </div>
      )}
      <main class="lobby-main">
        <TableTiles />
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
