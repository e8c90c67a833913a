import { isOpen, link } from '../state.ts';
import { Overlays } from '../overlays.tsx';
import { words as common } from '../words.ts';
import { Bar } from './bar.tsx';
import { Board } from './board.tsx';
import { Island } from './island.tsx';
import { listenToKeys } from './keyboard.ts';
import { Notice, isAside } from './notice.tsx';
import { hasView, look, results } from './parts.ts';
import { Rail } from './rail.tsx';
import { outcome, scene, sight } from './scene.ts';
import { shape } from './shape.ts';
import { Spoken } from './spoken.tsx';
import { Stage } from './stage.tsx';
import { Tables } from './tables.tsx';

/** Before the table is known. */
function Empty() {
  const t = common();
  return (
    <main class="terminal-empty">
      <a class="key back" href="#/">
        ‹ {t.tables}
      </a>
      <p role="status">{link.value === 'open' || link.value === 'joining' ? t.joining : t.lost}</p>
    </main>
  );
}

/** A round that won nothing is stated, not celebrated. */
function stateClasses(): string {
  return [
    `scene-${scene.value} sight-${sight.value}`,
    isOpen.value ? 'is-open' : 'is-closed',
    outcome.value !== null && outcome.value.net <= 0 ? 'is-stated' : '',
    link.value === 'open' ? '' : 'is-lost',
  ]
    .filter(Boolean)
    .join(' ');
}

listenToKeys();

export function Terminal() {
  if (!hasView.value) return <Empty />;
  return (
    <div
      class={`terminal ${stateClasses()}`}
      data-shape={shape.value}
      data-felt={look.value.felt}
      data-results={results.value.length}
    >
      <Bar />
      {sight.value === 'tables' ? (
        <Tables />
      ) : (
        <>
          <Board />
          {isAside.value && (
            <div class="tellings">
              <Notice />
            </div>
          )}
          <main class="table">
            <Spoken />
            <Stage />
            <Island />
          </main>
        </>
      )}
      <Rail />
      <Overlays />
    </div>
  );
}
