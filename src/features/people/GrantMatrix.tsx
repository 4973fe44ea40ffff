import { Box, Typography } from '@mui/material';
import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Grants } from '@contract/people/schemas';
import type { SiteRole } from '@contract/permissions';
import { keyOf, shownRole } from './grantDraft';
import type { GrantDraft, GrantTable } from './grantDraft';
import { cellAfter, roleKeys } from './grantGrid';
import { MatrixContext } from './grantMatrixContext';
import type { Matrix } from './grantMatrixContext';
import { HeadRow, PersonRow } from './GrantMatrixRows';
import { GrantRoleMenu } from './GrantRoleMenu';
import { useGrantGrid } from './useGrantGrid';

type Row = Grants['people'][number];
type Props = {
  readonly people: readonly Row[];
  readonly sites: Grants['sites'];
  readonly table: GrantTable;
  readonly draft: GrantDraft;
  /** Cells that somebody else changed meanwhile. */
  readonly overrun: ReadonlySet<string>;
  readonly mayEdit: (person: Row) => boolean;
  readonly onEdit: (key: string, role: SiteRole | null) => void;
};

/** People × sites, virtualized. Arrows move, Enter or a letter assigns, Delete revokes. */
export function GrantMatrix({ people, sites, table, draft, overrun, mayEdit, onEdit }: Props): ReactElement {
  const { t } = useTranslation('people');
  const { frame, active, setActive, go, rows, columns } = useGrantGrid(people, sites);
  const [menu, setMenu] = useState<{ readonly anchor: HTMLElement; readonly key: string } | null>(null);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const cell = event.target as HTMLElement;
    if (cell.dataset['cell'] === undefined || event.altKey) return;
    const person = people[active.row];
    const site = sites[active.column];
    if (!person || !site) return;
    const whole = event.ctrlKey || event.metaKey;
    const key = keyOf(person.id, site.id);
    const next = cellAfter(event.key, whole, active, { row: people.length - 1, column: sites.length - 1 });
    const role = whole ? undefined : roleKeys[event.key.toLowerCase()];
    if (next) go(next);
    else if (!mayEdit(person)) return;
    else if (event.key === 'Enter' || event.key === ' ' || event.key === 'F2') setMenu({ anchor: cell, key });
    else if (event.key === 'Delete' || event.key === 'Backspace') onEdit(key, null);
    else if (role !== undefined) onEdit(key, role);
    else return;
    event.preventDefault();
  };
  const choose = (role: SiteRole | null) => {
    if (menu) onEdit(menu.key, role);
    setMenu(null);
  };
  const matrix: Matrix = { sites, table, draft, overrun, columns, active, onActivate: setActive, onMenu: (anchor, key) => setMenu({ anchor, key }) };
  return (
    <MatrixContext value={matrix}>
      <Box
        ref={frame}
        sx={{
          overflow: 'auto',
          // As wide as its sites, so that no line ends inside it.
          maxWidth: columns.width + 2,
          maxHeight: 'max(320px, calc(100dvh - 400px))',
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          position: 'relative',
          fontSize: 'var(--text-table)',
        }}
      >
        <Box
          role="grid"
          aria-label={t('grants.matrix')}
          aria-rowcount={people.length + 1}
          aria-colcount={sites.length + 1}
          onKeyDown={onKeyDown}
          sx={{ position: 'relative', width: columns.width, height: rows.height }}
        >
          <HeadRow height={rows.headHeight} />
          {rows.visible.map((item) => {
            const person = people[item.index];
            return person && <PersonRow key={item.key} person={person} editable={mayEdit(person)} item={item} />;
          })}
        </Box>
      </Box>
      <Typography variant="caption" component="p" sx={{ mt: 1, color: 'text.secondary' }}>
        {t('grants.keys')}
      </Typography>
      <GrantRoleMenu anchor={menu?.anchor ?? null} selected={menu && shownRole(table, draft, menu.key)} onChoose={choose} onClose={() => setMenu(null)} />
    </MatrixContext>
  );
}
