import { roadsFromResults } from '../../shared/roads/roadsFromResults.ts';
import { Icon, type IconName } from '../../shared/widgets/icons.tsx';
import { wagerName } from '../../shared/text/gameNames.ts';
import { NextMarksPanel } from '../../shared/roads/roads.tsx';
import { type OverlayName, currentOverlay } from '../app/overlay.ts';
import { terminalId, tableView } from '../app/state.ts';
import { PatronLanguageButton, CommitmentButton, SoundButton } from './topBar.tsx';
import { BilingualText } from '../../shared/text/bilingualText.tsx';
import { SheetDialog } from './sheet.tsx';
import { spotLimitsText } from './felt/spot.tsx';
import { CommonResultCounters, GameWagerCounters, ShoeProgressBar } from './stage/shoeCounters.tsx';
import { tableStringInBothLanguages, tableScreenStrings } from './strings.ts';

function MenuKey({ icon, text, opens }: { icon: IconName; text: string; opens: OverlayName }) {
  return (
    <button type="button" class="key key-rail" onClick={() => (currentOverlay.value = opens)}>
      <Icon name={icon} />
      <span>{text}</span>
    </button>
  );
}

/** Menu on a phone: the actions for which there is no space beside the table. */
export function PhoneMenu() {
  const t = tableScreenStrings();
  if (tableView.value === null) return <></>;
  const { table, layout, results } = tableView.value;
  return (
    <SheetDialog
      name="menu"
      title={<BilingualText {...tableStringInBothLanguages('menu')} />}
      note={`${t.table} ${table} · ${t.tid}${terminalId.value ?? '–'}`}
    >
      <div class="menu-keys">
        <MenuKey icon="ticket" text={t.collect} opens="collect" />
        <MenuKey icon="help" text={t.help} opens="help" />
        <MenuKey icon="recall" text={t.rounds} opens="recall" />
        <MenuKey icon="hand" text={t.limits} opens="limits" />
        <SoundButton mark="key-rail" />
        <PatronLanguageButton mark="key-rail" />
      </div>
      <CommitmentButton />
      <section>
        <h3>
          <BilingualText {...tableStringInBothLanguages('ifNext')} />
        </h3>
        <NextMarksPanel roads={roadsFromResults(results)} />
      </section>
      <section>
        <h3>
          <BilingualText {...tableStringInBothLanguages('thisShoe')} />
        </h3>
        <ShoeProgressBar />
        <div class="menu-tallies">
          <CommonResultCounters />
          <GameWagerCounters />
        </div>
      </section>
      <section>
        <h3>
          <BilingualText {...tableStringInBothLanguages('range')} />
        </h3>
        <ul class="menu-limits">
          {layout.map((spot) => (
            <li key={spot.wager}>
              <span>{wagerName(spot.wager, spot.name)}</span> <b>{spotLimitsText(spot)}</b>
            </li>
          ))}
        </ul>
      </section>
      <p class="menu-note">
        {t.past} {t.inform}
      </p>
    </SheetDialog>
  );
}
