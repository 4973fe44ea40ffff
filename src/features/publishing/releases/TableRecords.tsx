import { Button, Checkbox } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Site } from '@contract/sites/schemas';
import { href } from '@/routes/paths';
import { useFormat } from '@/lib/format';
import { useRecordTitles } from '../useRecordTitles';
import { chosenOf, isChosen, toggleRecord, toggleTable } from './selection';
import type { LeftOut } from './selection';
import type { UnreleasedTable } from './types';

const pageSize = 20;

type Props = {
  readonly site: Site;
  readonly table: UnreleasedTable;
  readonly leftOut: LeftOut;
  /** Null for people who may not publish. */
  readonly onChange: ((leftOut: LeftOut) => void) | null;
};

const recordAddress = (site: Site, table: string, id: string): string => `${href('site.table.records', { siteId: site.id })}?table=${table}&record=${id}`;

/** The records of a table one by one, each with a link. */
function Records({ site, table, leftOut, onChange }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const [count, setCount] = useState(pageSize);
  const { rows } = useRecordTitles(site, table.table, { ids: table.records.slice(0, count) });
  return (
    <>
      <ul>
        {rows.map(({ id, title }) => (
          <li key={id}>
            {onChange && (
              <Checkbox
                checked={isChosen(leftOut, table.table, id)}
                onChange={() => onChange(toggleRecord(leftOut, table.table, id))}
                slotProps={{ input: { 'aria-label': title } }}
              />
            )}
            <Link className="text-link" to={recordAddress(site, table.table, id)}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
      {table.records.length > count && <Button onClick={() => setCount(count + pageSize)}>{t('next.more')}</Button>}
    </>
  );
}

/** Records that cannot be published as they are, at most a page of them. */
export function RefusedRecords({ site, table, ids }: { readonly site: Site; readonly table: string; readonly ids: readonly string[] }): ReactElement {
  const { rows } = useRecordTitles(site, table, { ids: ids.slice(0, pageSize) });
  return (
    <ul>
      {rows.map(({ id, title }) => (
        <li key={id}>
          <Link className="text-link" to={recordAddress(site, table, id)}>
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** A table whose records the next release publishes: all, some or none of them. */
export function TableRecords(props: Props): ReactElement {
  const { table, leftOut, onChange } = props;
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const chosen = chosenOf(leftOut, table).length;
  const all = table.records.length;
  const counts = { count: all, countText: format.number(all), chosen: format.number(chosen) };
  return (
    <li className="publishing-table">
      <div>
        {onChange && (
          <Checkbox
            checked={chosen === all}
            indeterminate={chosen > 0 && chosen < all}
            onChange={() => onChange(toggleTable(leftOut, table))}
            slotProps={{ input: { 'aria-label': t('next.allOf', { table: table.title }) } }}
          />
        )}
        <b>{table.title}</b>
        <span className="publishing-quiet">{t(chosen === all || !onChange ? 'next.records' : 'next.chosen', counts)}</span>
        <Button aria-expanded={open} aria-label={t(open ? 'next.hideOf' : 'next.showOf', { table: table.title })} onClick={() => setOpen(!open)}>
          {t(open ? 'next.hide' : 'next.show')}
        </Button>
      </div>
      {table.more && <p className="publishing-quiet">{t('next.tooMany', counts)}</p>}
      {open && <Records {...props} />}
    </li>
  );
}
