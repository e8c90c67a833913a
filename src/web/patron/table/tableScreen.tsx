import { computed } from '@preact/signals';
import { isOpen, connectionState } from '../app/state.ts';
import { LeftTableNotice } from '../notices/reconnectNotice.tsx';
import { Overlays } from '../overlays.tsx';
import { acceptedSlip, bettingBlock, slipTotal } from '../app/slipSignals.ts';
import { patronStrings as common } from '../app/strings.ts';
import { TableBar } from './topBar.tsx';
import { RoadBoard, isRow } from './stage/roadBoard.tsx';
import { NoticeBox } from './notices/noticeBox.tsx';
import { isPlainResult } from './felt/spotResult.ts';
import { BettingArea, hasCrowdedSpot, hasStrips } from './felt/bettingArea.tsx';
import { listenToKeys } from './keyboard.ts';
import { TableNotice, isOffAxis, isAxisTaken } from './notices/tableNotice.tsx';
import { hasView, themeSignal, resultsSignal } from './viewSignals.ts';
import { Rail } from './rail/rail.tsx';
import { roundSum, scene, viewMode } from './scene.ts';
import { shape } from './screenShape.ts';
import { Announcements } from './notices/screenReaderText.tsx';
import { Stage } from './stage/stage.tsx';
import { OtherTables } from './otherTables.tsx';
import { tableScreenStrings } from './strings.ts';

/** Before the view of the table arrives. */
function Empty() {
  const t = common();
  return (
    <main class="terminal-empty">
      <a class="key back" href="#/">
        ‹ {t.tables}
      </a>
      {connectionState.value === 'lost' ? (
        <NoticeBox icon="link" title={tableScreenStrings().linkTitle} mark="link" role="alert" testid="link">
          <LeftTableNotice />
          <p class="notice-retry">
            <i />
            {tableScreenStrings().retry}
          </p>
        </NoticeBox>
      ) : (
        <p role="status">{connectionState.value === 'outdated' ? t.reload : t.joining}</p>
      )}
    </main>
  );
}

/**
 * Classes by which one part makes space for another. They replace `:has()`, which makes a browser check the whole
 * table again with every card.
 */
const layoutClasses = computed(() =>
  [
    hasStrips.value ? ' with-strips' : '',
    hasCrowdedSpot.value ? ' with-most' : '',
    isRow.value ? ' with-row' : '',
    isAxisTaken.value ? ' with-notice' : '',
  ].join(''),
);

/**
 * The state as classes. A round without a net win is not celebrated. A class signal changes the attribute only,
 * without rendering the children.
 */
const classes = computed(() =>
  [
    'terminal',
    `scene-${scene.value} sight-${viewMode.value}`,
    isOpen.value ? 'is-open' : 'is-closed',
    isPlainResult(slipTotal(acceptedSlip.value), roundSum.value) ? 'is-stated' : '',
    connectionState.value === 'open' ? '' : 'is-lost',
    bettingBlock.value === null ? '' : 'is-barred',
    layoutClasses.value,
  ]
    .filter(Boolean)
    .join(' '),
);
const tableClasses = computed(() => `table${layoutClasses.value}`);
const felt = computed(() => themeSignal.value.felt);
const resultCount = computed(() => resultsSignal.value.length);

listenToKeys();

export function TableScreen() {
  if (!hasView.value) return <Empty />;
  return (
    <div class={classes} data-shape={shape} data-felt={felt} data-results={resultCount}>
      <TableBar />
      {viewMode.value === 'tables' ? (
        <OtherTables />
      ) : (
        <>
          <RoadBoard />
          {isOffAxis.value && (
            <div class="tellings">
              <TableNotice />
            </div>
          )}
          <main class={tableClasses}>
            <Announcements />
            <Stage />
            <BettingArea />
          </main>
        </>
      )}
      <Rail />
      <Overlays />
    </div>
  );
}
