import { drawingTable } from './drawingTable.ts';
import { language } from '../../shared/text/language.ts';
import { type HelpProps } from './helpProps.ts';
import { helpStrings } from './strings.ts';

export function HowToPlay({ game }: Partial<HelpProps>) {
  const t = helpStrings();
  return (
    <div class="help-text">
      {t.playing.map(([title, text], n) => (
        <section key={title}>
          <h3>{title}</h3>
          <p>
            {text} {n === 1 && game !== undefined ? t.pictures[game.deck] : ''}
          </p>
        </section>
      ))}
    </div>
  );
}

const span = ([from, to]: readonly [number, number]): string =>
  language.value === 'zh' ? `${from} 至 ${to}` : `${from} to ${to}`;

export function DrawingRules() {
  const t = helpStrings();
  return (
    <div class="help-text">
      <ol class="help-rules">
        <li>{t.natural}</li>
        <li>{t.playerDraws(span(drawingTable.player))}</li>
        <li>{t.bankerDraws(span(drawingTable.bankerAfterStand))}</li>
        <li>{t.drawn}</li>
      </ol>
      <table class="drawing">
        <caption>{t.thirdCard}</caption>
        <thead>
          <tr>
            <th scope="col">{t.bankerTotal}</th>
            {drawingTable.values.map((value) => (
              <th key={value} scope="col">
                {value}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawingTable.banker.map(({ total, draws }) => (
            <tr key={total}>
              <th scope="row">{total}</th>
              {draws.map((isDrawn, value) => (
                <td key={value} class={isDrawn ? 'is-drawn' : 'is-stood'}>
                  <span aria-hidden="true">{isDrawn ? t.drawsMark : t.standMark}</span>
                  <span class="spoken">{isDrawn ? t.draws : t.stand}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="help-note">
        <b>{t.drawsMark}</b> {t.draws} · <b>{t.standMark}</b> {t.stand}
      </p>
    </div>
  );
}
