import { type ApprovalRule, approvalRules } from '../../../../access/approvalRules.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { staffStrings } from './strings.ts';

/** Approval rules: who acts, and who approves. [HOUSE 2] */
export function Duties() {
  const t = staffStrings();
  const { posts } = kitWords();
  const all: readonly (readonly [string, ApprovalRule])[] = Object.entries(approvalRules);
  return (
    <section class="panel scroll" tabIndex={0} aria-label={t.duties}>
      <header>
        <h2>{t.duties}</h2>
        <span class="grow" />
        <ClauseTag by="HOUSE 2" />
      </header>
      <table class="g duty">
        <thead>
          <tr>
            <th>{t.duty}</th>
            <th>{t.first}</th>
            <th>{t.second}</th>
          </tr>
        </thead>
        <tbody>
          {all.map(([name, { first, second }]) => (
            <tr key={name}>
              <td>{t.dutyNames[name]}</td>
              <td class="q">{posts[first]}</td>
              <td>
                {second === undefined ? <span class="q">{t.alone}</span> : <span class="tag two">{posts[second]}</span>}
              </td>
            </tr>
          ))}
          <tr>
            <td>{t.giveActing}</td>
            <td class="q">{t.higher}</td>
            <td class="q">{t.alone}</td>
          </tr>
          <tr>
            <td>{t.accountsDuty}</td>
            <td class="q">{posts['administrator']}</td>
            <td class="q">{t.alone}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
