import { computed } from '@preact/signals';
import { isOpen, link } from '../state.ts';
import { Left } from '../back.tsx';
import { Overlays } from '../overlays.tsx';
import { accepted, idle, totalOf } from '../slip.ts';
import { words as common } from '../words.ts';
import { Bar } from './bar.tsx';
import { Board, isRow } from './board.tsx';
import { Box } from './box.tsx';
import { isStated } from './fate.ts';
import { Island, hasMost, hasStrips } from './island.tsx';
import { listenToKeys } from './keyboard.ts';
import { Notice, isAside, isAxisTaken } from './notice.tsx';
import { hasView, look, results } from './parts.ts';
import { Rail } from './rail.tsx';
import { outcome, scene, sight } from './scene.ts';
import { shape } from './shape.ts';
import { Spoken } from './spoken.tsx';
import { Stage } from './stage.tsx';
import { Tables } from './tables.tsx';
import { words } from './words.ts';

/** Before the table is known. */
function Empty() {
  const t = common();
  return (
    <main class="terminal-empty">
      <a class="key back" href="#/">
        ‹ {t.tables}
      </a>
      {link.value === 'lost' ? (
        <Box icon="link" title={words().linkTitle} mark="link" role="alert" testid="link">
          <Left />
          <p class="notice-retry">
            <i />
            {words().retry}
          </p>
        </Box>
      ) : (
        <p role="status">{link.value === 'outdated' ? t.reload : t.joining}</p>
      )}
    </main>
  );
}

/**
 * What one part shows and another makes room for. It is said here rather than asked by `:has()`, for which a browser looks
 * at the whole table again with every card that is put into it.
 */
const room = computed(() =>
  [
    hasStrips.value ? ' with-strips' : '',
    hasMost.value ? ' with-most' : '',
    isRow.value ? ' with-row' : '',
    isAxisTaken.value ? ' with-notice' : '',
  ].join(''),
);

/**
 * The state as classes. A round that won nothing is stated, not celebrated. The browser is told of another state alone:
 * what is in the terminal is not drawn again for it.
 */
const classes = computed(() =>
  [
    'terminal',
    `scene-${scene.value} sight-${sight.value}`,
    isOpen.value ? 'is-open' : 'is-closed',
    isStated(totalOf(accepted.value), outcome.value) ? 'is-stated' : '',
    link.value === 'open' ? '' : 'is-lost',
    idle.value === null ? '' : 'is-barred',
    room.value,
  ]
    .filter(Boolean)
    .join(' '),
);
const tableClasses = computed(() => `table${room.value}`);
const felt = computed(() => look.value.felt);
const resultCount = computed(() => results.value.length);

listenToKeys();

export function Terminal() {
  if (!hasView.value) return <Empty />;
  return (
    <div class={classes} data-shape={shape} data-felt={felt} data-results={resultCount}>
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
          <main class={tableClasses}>
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
