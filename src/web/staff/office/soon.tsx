import { Frame } from '../kit/frame.tsx';
import { words } from '../kit/words.ts';

/** The place of a page that is not there yet. */
export function Soon() {
  return (
    <Frame name="soon">
      <p class="panel q">{words().soon}</p>
    </Frame>
  );
}
