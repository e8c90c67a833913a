import { Overlays } from '../overlays.tsx';
import { ToldNotice, told } from '../notices/roundNotice.tsx';
import { Tiles } from './tiles.tsx';
import { LobbyBar } from './topBar.tsx';
import { Doors } from './displayLinks.tsx';
import { lobbyStrings } from './strings.ts';

/** All tables, the patron's money, and links to the displays. */
export function Lobby() {
  const t = lobbyStrings();
  return (
    <div class="lobby">
      <LobbyBar />
      {told.value !== null && (
        <div class="notice lobby-told">
          <ToldNotice />
        </div>
      )}
      <main class="lobby-main">
        <Tiles />
      </main>
      <Doors />
      <footer class="lobby-foot">
        <span>{t.malfunction}</span>
        <span>{t.past}</span>
      </footer>
      <Overlays />
    </div>
  );
}
