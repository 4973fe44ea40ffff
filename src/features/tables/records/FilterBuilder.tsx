import Add from '@mui/icons-material/AddOutlined';
import Close from '@mui/icons-material/CloseOutlined';
import { Box, Button, IconButton, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import {
  countRules,
  emptyGroup,
  findFilterColumn,
  operandFor,
  fromFilter,
  isDraft,
  mayNest,
  newRule,
  operators,
  withReplacedItem,
  toFilter,
  operandKind,
} from './filterModel';
import type { Group, Item, Join, Rule } from './filterModel';
import { FilterValue } from './FilterValue';
import { Choose } from './parts';
import { linkedTable } from './relations';
import { useOperatorLabel } from './useFilterText';
import { useTableLabels } from './useTableLabels';

/** Context of a filter builder: the site's tables, to which relations may point, and the known labels of records and people. */
export type FilterContext = {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly people: Readonly<Record<string, string>>;
};

const RuleRow = ({
  rule,
  table,
  context,
  level,
  onChange,
}: {
  readonly rule: Rule;
  readonly table: ContentTable;
  readonly context: FilterContext;
  readonly level: number;
  readonly onChange: (next: Rule | null) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const labels = useTableLabels(table);
  const operatorLabel = useOperatorLabel();
  const column = findFilterColumn(table, rule.field);
  const other = column?.field ? linkedTable(context.tables, column.field) : undefined;
  // Conditions on linked records need one more level.
  const ops = column ? operators(column).filter((op) => operandKind(op) !== 'filter' || (other !== undefined && level + 1 <= tableLimits.depth)) : [];
  const nested = column !== undefined && operandKind(rule.op) === 'filter' && other !== undefined;
  return (
    <Box className="tables-rule">
      <Box className="tables-rule-parts">
        <Choose
          label={t('filter.field')}
          value={column?.id ?? ''}
          options={[...(column ? [] : [{ id: '', name: t('filter.gone', { name: rule.field }) }]), ...labels.options()]}
          onChange={(name) => {
            const next = newRule(table, name);
            if (next) onChange({ ...next, id: rule.id });
          }}
        />
        {column && (
          <Choose
            label={t('filter.operator')}
            value={rule.op}
            options={ops.map((op) => ({ id: op, name: operatorLabel(column, op) }))}
            onChange={(op) => onChange({ ...rule, op, value: operandFor(column, op, rule.value) })}
          />
        )}
        {column && !nested && <FilterValue column={column} rule={rule} table={table} context={context} onChange={(value) => onChange({ ...rule, value })} />}
        <IconButton aria-label={t('filter.removeRule')} title={t('filter.removeRule')} onClick={() => onChange(null)}>
          <Close fontSize="small" />
        </IconButton>
      </Box>
      {nested && other && (
        <Box className="tables-group">
          <NestedFilter rule={rule} table={other} context={context} level={level + 1} onChange={(value) => onChange({ ...rule, value })} />
        </Box>
      )}
    </Box>
  );
};

/** The nested filter of `some` and `none`, on the linked records. Stored as JSON, edited like any other filter. */
const NestedFilter = ({
  rule,
  onChange,
  ...rest
}: {
  readonly rule: Rule;
  readonly table: ContentTable;
  readonly context: FilterContext;
  readonly level: number;
  readonly onChange: (value: unknown) => void;
}): ReactElement => {
  const draft = isDraft(rule.value) ? rule.value : fromFilter(isFilter(rule.value) ? rule.value : null);
  return <GroupBox group={draft} {...rest} onChange={(next) => onChange(next)} />;
};
const isFilter = (value: unknown): value is NonNullable<Parameters<typeof fromFilter>[0]> => typeof value === 'object' && value !== null;

const GroupBox = ({
  group,
  table,
  context,
  level,
  onChange,
}: {
  readonly group: Group;
  readonly table: ContentTable;
  readonly context: FilterContext;
  readonly level: number;
  readonly onChange: (next: Group) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const put = (id: string, next: Item | null) => onChange(withReplacedItem(group, id, next));
  const add = (item: Item | null) => {
    if (item) onChange({ ...group, items: [...group.items, item] });
  };
  const full = countRules(group) >= tableLimits.conditions;
  return (
    <Box role="group" aria-label={t(`filter.join.${group.join}`)} sx={{ display: 'grid', gap: 1 }}>
      {group.items.length > 0 && (
        <Choose<Join>
          label={t('filter.joinLabel')}
          value={group.join}
          options={(['and', 'or', 'not'] as const).map((id) => ({ id, name: t(`filter.join.${id}`) }))}
          onChange={(join) => onChange({ ...group, join })}
        />
      )}
      {group.items.map((item) =>
        item.kind === 'rule' ? (
          <RuleRow key={item.id} rule={item} table={table} context={context} level={level + 1} onChange={(next) => put(item.id, next)} />
        ) : (
          <Box key={item.id} className="tables-group">
            <GroupBox group={item} table={table} context={context} level={level + 1} onChange={(next) => put(item.id, next.items.length === 0 ? null : next)} />
          </Box>
        ),
      )}
      <Box sx={{ display: 'flex', gap: 1 }}>
        <Button startIcon={<Add />} disabled={full} onClick={() => add(newRule(table))}>
          {t('filter.add')}
        </Button>
        {mayNest(level) && group.items.length > 0 && (
          <Button
            disabled={full}
            onClick={() => {
              const first = newRule(table);
              if (first) add(emptyGroup(group.join === 'or' ? 'and' : 'or', [first]));
            }}
          >
            {t('filter.addGroup')}
          </Button>
        )}
      </Box>
    </Box>
  );
};

/** A builder of conditions in groups, for the whole filter language. It also keeps incomplete conditions; only complete ones are applied. */
export const FilterBuilder = ({
  draft,
  table,
  context,
  onChange,
}: {
  readonly draft: Group;
  readonly table: ContentTable;
  readonly context: FilterContext;
  readonly onChange: (draft: Group) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const incomplete = countRules(draft) > countRules(fromFilter(toFilter(draft)));
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      {draft.items.length === 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('filter.none')}
        </Typography>
      )}
      <GroupBox group={draft} table={table} context={context} level={1} onChange={onChange} />
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 30 }}>
        {incomplete && (
          <Typography variant="caption" role="status" sx={{ color: 'text.secondary' }}>
            {t('filter.incomplete')}
          </Typography>
        )}
        {draft.items.length > 0 && (
          <Button sx={{ ml: 'auto' }} onClick={() => onChange(emptyGroup())}>
            {t('filter.clear')}
          </Button>
        )}
      </Box>
    </Box>
  );
};
