import { type ApprovalRule, approvalRules } from '../../../../access/approvalRules.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { kitStrings } from '../../kit/text/strings.ts';
import { staffStrings } from './strings.ts';

/** Table of the approval rules: which role acts, and which second role approves. [HOUSE 2] */
export function ApprovalRulesTable() {
  const t = staffStrings();
  const { roles } = kitStrings();
  const rules: readonly (readonly [string, ApprovalRule])[] = Object.entries(approvalRules);
  return (
    <section class="panel scroll" tabIndex={0} aria-label={t.approvalRules}>
      <header>
        <h2>{t.approvalRules}</h2>
        <span class="grow" />
        <ClauseTag by="HOUSE 2" />
      </header>
      <table class="g approval-rules">
        <thead>
          <tr>
            <th>{t.rule}</th>
            <th>{t.first}</th>
            <th>{t.second}</th>
          </tr>
        </thead>
        <tbody>
          {rules.map(([name, { first, second }]) => (
            <tr key={name}>
              <td>{t.ruleNames[name]}</td>
              <td class="q">{roles[first]}</td>
              <td>
                {second === undefined ? <span class="q">{t.alone}</span> : <span class="tag two">{roles[second]}</span>}
              </td>
            </tr>
          ))}
          <tr>
            <td>{t.giveActing}</td>
            <td class="q">{t.higher}</td>
            <td class="q">{t.alone}</td>
          </tr>
          <tr>
            <td>{t.accountsRule}</td>
            <td class="q">{roles['administrator']}</td>
            <td class="q">{t.alone}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
