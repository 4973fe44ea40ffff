import { Box } from '@mui/material';
import type { VirtualItem } from '@tanstack/react-virtual';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Grants } from '@contract/people/schemas';
import { Icon } from '@/ui/Icon';
import { keyOf, shownRole } from './grantDraft';
import { cellWidth, nameWidth, rowHeight } from './grantGrid';
import type { CellPosition } from './grantGrid';
import { useMatrix, useRoleText } from './grantMatrixContext';

type Person = Grants['people'][number];
type Site = Grants['sites'][number];

const sticky = { position: 'sticky', bgcolor: 'background.default', zIndex: 1 } as const;

/** The names of the sites; it stays when the rows scroll. */
export function HeadRow({ height }: { readonly height: number }): ReactElement {
  const { t } = useTranslation('people');
  const { sites, columns } = useMatrix();
  return (
    <Box
      role="row"
      aria-rowindex={1}
      sx={{ ...sticky, top: 0, zIndex: 3, display: 'flex', height, width: columns.width, borderBottom: 1, borderColor: 'divider' }}
    >
      <Box
        role="columnheader"
        aria-colindex={1}
        sx={{
          ...sticky,
          left: 0,
          width: nameWidth,
          flex: 'none',
          px: 1.5,
          display: 'flex',
          alignItems: 'flex-end',
          pb: 0.75,
          color: 'text.secondary',
          fontSize: 'var(--text-secondary)',
          fontWeight: 500,
          borderRight: 1,
          borderColor: 'divider',
        }}
      >
        {t('column.name')}
      </Box>
      <Box aria-hidden sx={{ flex: 'none', width: columns.before }} />
      {columns.visible.map((column) => (
        <Box
          key={column.key}
          role="columnheader"
          aria-colindex={column.index + 2}
          title={sites[column.index]?.name}
          sx={{ flex: 'none', width: cellWidth, px: 1, pb: 0.75, display: 'flex', alignItems: 'flex-end', fontSize: 'var(--text-secondary)', lineHeight: 1.35 }}
        >
          <Box component="span" sx={{ display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical', overflow: 'hidden', overflowWrap: 'anywhere' }}>
            {sites[column.index]?.name}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

type PersonProps = { readonly person: Person; readonly editable: boolean };

/** The person's name, and why their row cannot be edited. */
function RowHead({ person, editable }: PersonProps): ReactElement {
  const { t } = useTranslation('people');
  return (
    <Box
      role="rowheader"
      aria-colindex={1}
      title={editable ? person.loginName : t('grants.locked', { role: t(`role.${person.role}`) })}
      sx={{
        ...sticky,
        left: 0,
        width: nameWidth,
        flex: 'none',
        px: 1.5,
        lineHeight: `${String(rowHeight - 1)}px`,
        whiteSpace: 'nowrap',
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        borderRight: 1,
        borderColor: 'divider',
        ...(person.state === 'disabled' && { color: 'text.secondary' }),
      }}
    >
      {person.displayName}
      <Box component="span" sx={{ ml: 1, fontSize: 'var(--text-secondary)', color: 'text.secondary' }}>
        {person.state === 'disabled' ? t('state.disabled') : person.role === 'member' ? person.loginName : t(`role.${person.role}`)}
      </Box>
    </Box>
  );
}

/** The role as text; no access is a sign that only a screen reader spells out. */
function CellText({ cell, edited }: { /** The key of the cell. */ readonly cell: string; readonly edited: boolean }): ReactElement {
  const { t } = useTranslation('people');
  const { table, draft, overrun } = useMatrix();
  const roleText = useRoleText();
  const role = shownRole(table, draft, cell);
  return (
    <>
      {overrun.has(cell) && (
        <Box component="span" sx={{ display: 'inline-flex', color: 'warning.main' }} title={t('grants.overrunCell')}>
          <Icon name="warning" size={14} />
        </Box>
      )}
      {role === null ? (
        <>
          <span aria-hidden="true">{edited ? '–' : '·'}</span>
          <span className="only-read">{roleText(null)}</span>
        </>
      ) : (
        roleText(role)
      )}
      {edited && <span className="only-read">{t('grants.unsaved')}</span>}
    </>
  );
}

function GrantCell({ person, site, editable, position }: PersonProps & { readonly site: Site; readonly position: CellPosition }): ReactElement {
  const { t } = useTranslation('people');
  const { table, draft, active, onActivate, onMenu } = useMatrix();
  const roleText = useRoleText();
  const key = keyOf(person.id, site.id);
  const role = shownRole(table, draft, key);
  const edited = draft[key] !== undefined;
  const isActive = active.row === position.row && active.column === position.column;
  return (
    <Box
      role="gridcell"
      aria-colindex={position.column + 2}
      aria-disabled={!editable}
      data-cell={`${String(position.row)}:${String(position.column)}`}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onActivate(position)}
      onClick={(event) => {
        event.currentTarget.focus({ preventScroll: true });
        if (editable) onMenu(event.currentTarget, key);
      }}
      {...(edited && { title: t('grants.wasBefore', { role: roleText(table.get(key) ?? null) }) })}
      sx={{
        flex: 'none',
        width: cellWidth,
        px: 1,
        display: 'flex',
        alignItems: 'center',
        gap: 0.5,
        whiteSpace: 'nowrap',
        overflow: 'hidden',
        cursor: editable ? 'pointer' : 'default',
        color: role === null || !editable ? 'text.secondary' : 'text.primary',
        ...(edited && { bgcolor: 'var(--info-ground) !important', fontWeight: 600 }),
        '&:focus-visible': { outline: '2px solid var(--info)', outlineOffset: -2 },
      }}
    >
      <CellText cell={key} edited={edited} />
    </Box>
  );
}

/** A person and their role on each site; `item` is the row's place in the grid. */
export function PersonRow({ person, editable, item }: PersonProps & { readonly item: VirtualItem }): ReactElement {
  const { sites, columns } = useMatrix();
  return (
    <Box
      role="row"
      aria-rowindex={item.index + 2}
      sx={{
        position: 'absolute',
        top: 0,
        left: 0,
        display: 'flex',
        width: columns.width,
        height: rowHeight,
        borderBottom: 1,
        borderColor: 'divider',
        '&:hover > *': { bgcolor: 'action.hover' },
      }}
      style={{ transform: `translateY(${String(item.start)}px)` }}
    >
      <RowHead person={person} editable={editable} />
      <Box aria-hidden sx={{ flex: 'none', width: columns.before }} />
      {columns.visible.map((column) => {
        const site = sites[column.index];
        if (!site) return null;
        return <GrantCell key={column.key} person={person} site={site} editable={editable} position={{ row: item.index, column: column.index }} />;
      })}
    </Box>
  );
}
