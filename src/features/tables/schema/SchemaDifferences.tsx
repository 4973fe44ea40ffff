import { Checkbox } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { rightsPart } from '@contract/tables/schemas';
import type { ContentTable, SchemaDifference } from '@contract/tables/schemas';
import { Tag } from '@/ui/Tag';
import { RuleChanges } from './RuleChanges';
import { isApplicable, isWithoutTable, nameOf } from './useSchemaComparison';
import type { SchemaComparison } from './useSchemaComparison';

type Props = { readonly tables: readonly ContentTable[]; readonly comparison: SchemaComparison };

const DifferenceRow = ({ tables, comparison, difference }: Props & { readonly difference: SchemaDifference }): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const { excluded, exclude } = comparison;
  const { table: key, field, change, before, after } = difference;
  const name = nameOf(difference);
  const ofRules = field === rightsPart;
  const table = tables.find((one) => one.key === key) ?? null;
  const title = ofRules ? t('files.rights', { table: table?.title ?? key }) : name;
  const possible = isApplicable(difference) && !isWithoutTable(difference, excluded);
  return (
    <li className="design-row" style={{ flexWrap: 'wrap', gap: '0 8px', paddingRight: 12 }}>
      <Checkbox
        slotProps={{ input: { 'aria-label': `${t(`files.change.${change}`)} ${title}` } }}
        checked={possible && !excluded.has(name)}
        disabled={!possible}
        onChange={(_event, on) => exclude(name, !on)}
      />
      <Tag>{t(`files.change.${change}`)}</Tag>
      {ofRules ? (
        <div style={{ flex: 1, minWidth: 0, padding: '8px 0' }}>
          {title}
          <RuleChanges table={table} tables={tables} before={before} after={after} />
        </div>
      ) : (
        <code className="design-mono" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </code>
      )}
      {!isApplicable(difference) && <small className="design-quiet">{t('files.cannot')}</small>}
    </li>
  );
};

/** The differences that a comparison found, for selection; renders nothing before a comparison. */
export const SchemaDifferences = (props: Props): ReactElement | null => {
  const { t } = useTranslation('tableSchemas');
  const { differences } = props.comparison;
  if (differences === null) return null;
  if (differences.length === 0) return <p role="status">{t('files.same')}</p>;
  const ofRules = differences.filter(({ field }) => field === rightsPart);
  return (
    <>
      {ofRules.length > 0 && (
        <p className="design-quiet">
          {t('files.rightsText')} {ofRules.some(({ change }) => change === 'change') && t('files.rightsOff')}
        </p>
      )}
      <ul className="design-rows">
        {differences.map((one) => (
          <DifferenceRow key={nameOf(one)} {...props} difference={one} />
        ))}
      </ul>
    </>
  );
};
