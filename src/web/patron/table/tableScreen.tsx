import { computed } from '@preact/signals';
import { isBettingOpen, connectionState } from '../app/state.ts';
import { StakesLeftBehindNotice } from '../roundNotices/reconnectNotice.tsx';
import { Overlays } from '../overlays.tsx';
import { acceptedSlip, bettingBlockReason, slipTotal } from '../app/slipSignals.ts';
import { patronStrings as common } from '../app/strings.ts';
import { TableTopBar } from './topBar.tsx';
import { RoadBoard, isRoadBoardOneRow } from './stage/roadBoard.tsx';
import { NoticeBox } from './notices/noticeBox.tsx';
import { isWithoutCelebration } from './felt/spotResult.ts';
import { BettingArea, hasSpotWithManyTerms, hasNumberStrips } from './felt/bettingArea.tsx';
import { listenForShortcutKeys } from './keyboard.ts';
import { TableNotice, isNoticeOffStage, isNoticeBetweenHands } from './notices/tableNotice.tsx';
import { hasTableView, tableThemeSignal, shoeResultsSignal } from './viewSignals.ts';
import { BottomBar } from './bottomBar/bottomBar.tsx';
import { roundMoneySums, stageMode, viewMode } from './scene.ts';
import { screenShape } from './screenShape.ts';
import { ScreenReaderAnnouncements } from './notices/screenReaderText.tsx';
import { Stage } from './stage/stage.tsx';
import { AllTablesView } from './allTablesView.tsx';
import { tableScreenStrings } from './strings.ts';

function Empty() {
  const t = common();
  return (
    <main class="terminal-empty">
      <a class="key back" href="#/">
        ‹ {t.tables}
      </a>
      {connectionState.value === 'lost' ? (
        <NoticeBox
          icon="link"
          title={tableScreenStrings().connectionLostTitle}
          mark="connection"
          role="alert"
          testid="connection"
        >
          <StakesLeftBehindNotice />
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
 * CSS classes by which one part of the screen makes space for another part. They replace the selector `:has()`, for
 * which the browser would check the whole table again after every card.
 */
const layoutClasses = computed(() =>
  [
    hasNumberStrips.value ? ' with-strips' : '',
    hasSpotWithManyTerms.value ? ' with-most' : '',
    isRoadBoardOneRow.value ? ' with-row' : '',
    isNoticeBetweenHands.value ? ' with-notice' : '',
  ].join(''),
);

/**
 * State of the screen as CSS classes; `is-stated` shows a result without celebration. The signal itself is the `class`,
 * so a change sets only the attribute, and the children are not rendered again.
 */
const classes = computed(() =>
  [
    'terminal',
    `scene-${stageMode.value} sight-${viewMode.value}`,
    isBettingOpen.value ? 'is-open' : 'is-closed',
    isWithoutCelebration(slipTotal(acceptedSlip.value), roundMoneySums.value) ? 'is-stated' : '',
    connectionState.value === 'open' ? '' : 'is-lost',
    bettingBlockReason.value === null ? '' : 'is-barred',
    layoutClasses.value,
  ]
    .filter(Boolean)
    .join(' '),
);
const tableClasses = computed(() => `table${layoutClasses.value}`);
const felt = computed(() => tableThemeSignal.value.felt);
const resultCount = computed(() => shoeResultsSignal.value.length);

listenForShortcutKeys();

export function TableScreen() {
  if (!hasTableView.value) return <Empty />;
  return (
    <div class={classes} data-shape={screenShape} data-felt={felt} data-results={resultCount}>
      <TableTopBar />
      {viewMode.value === 'tables' ? (
        <AllTablesView />
      ) : (
        <>
          <RoadBoard />
          {isNoticeOffStage.value && (
            <div class="table-notices">
              <TableNotice />
            </div>
          )}
          <main class={tableClasses}>
            <ScreenReaderAnnouncements />
            <Stage />
            <BettingArea />
          </main>
        </>
      )}
      <BottomBar />
      <Overlays />
    </div>
  );
}
