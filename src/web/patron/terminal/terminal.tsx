import { money } from '../../../rules/money.ts';
import { language } from '../../shared/language.ts';
import { isOpen, link, secondsTo, view } from '../state.ts';
import { Left } from '../back.tsx';
import { Overlays } from '../overlays.tsx';
import { accepted, idle, totalOf } from '../slip.ts';
import { words as common } from '../words.ts';
import { Bar } from './bar.tsx';
import { Board } from './board.tsx';
import { Box } from './box.tsx';
import { callOf } from './call.ts';
import { isStated } from './fate.ts';
import { Island } from './island.tsx';
import { listenToKeys } from './keyboard.ts';
import { Notice, isAside } from './notice.tsx';
import { Rail } from './rail.tsx';
import { outcome, scene, sight } from './scene.ts';
import { shape } from './shape.ts';
import { Stage } from './stage.tsx';
import { Tables } from './tables.tsx';
import { words } from './words.ts';

/** Read out when it changes: the phase, the last seconds, the result and what it meant for the patron. */
function Spoken() {
  const t = words();
  const { round } = view.value!;
  const call = callOf();
  const said = language.value === 'zh' ? call.zh : call.en;
  const left = isOpen.value && round ? secondsTo(round.deadline ?? round.closesAt) : null;
  const time = left === 10 || left === 5 ? ` ${left} ${t.seconds}.` : '';
  const isOver = scene.value === 'result' && round !== null && round.winner !== null;
  const result = isOver
    ? ` ${t.wins[round.winner]}. ${common().player} ${round.player.total}, ${common().banker} ${round.banker.total}.`
    : '';
  return (
    <p class="spoken" role="status" aria-live="polite">
      {said}.{time}
      {result}
      {isOver ? netWords() : ''}
    </p>
  );
}

/** What the round came to, where there was a stake in it. */
function netWords(): string {
  const t = words();
  const sum = outcome.value;
  if (sum === null) return '';
  return sum.net > 0 ? ` ${t.youWon} ${money(sum.net)}.` : ` ${t.returnedOf(money(sum.returned), money(sum.staked))}.`;
}

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

/** A round that won nothing is stated, not celebrated. */
function stateClasses(): string {
  return [
    `scene-${scene.value} sight-${sight.value}`,
    isOpen.value ? 'is-open' : 'is-closed',
    isStated(totalOf(accepted.value), outcome.value) ? 'is-stated' : '',
    link.value === 'open' ? '' : 'is-lost',
    idle.value === null ? '' : 'is-barred',
  ]
    .filter(Boolean)
    .join(' ');
}

listenToKeys();

export function Terminal() {
  const seen = view.value;
  if (seen === null) return <Empty />;
  return (
    <div
      class={`terminal ${stateClasses()}`}
      data-shape={shape.value}
      data-felt={seen.look.felt}
      data-results={seen.results.length}
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
