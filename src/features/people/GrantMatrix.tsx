import { Box, Menu, MenuItem, Typography } from '@mui/material';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Grants } from '@contract/people/schemas';
import { siteRoles } from '@contract/permissions';
import type { SiteRole } from '@contract/permissions';
import { Icon } from '@/ui/Icon';
import { Kbd } from '@/ui/Kbd';
import { keyOf, shownRole } from './grantDraft';
import type { GrantDraft, GrantTable } from './grantDraft';

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

const nameWidth = 208;
const cellWidth = 112;
const rowHeight = 36;
const twoLines = 52;
/** Estimated width of a name in pixels at 12 px, rather too large than too small: Han characters are square. */
const widthOf = (name: string) => [...name].reduce((sum, letter) => sum + (letter > '\u2e7f' ? 12 : 8), 0);
/** One key per role, the same in both languages. */
export const roleKeys: Readonly<Record<string, SiteRole>> = { m: 'admin', e: 'editor', a: 'analyst', s: 'support', v: 'viewer' };
const keyOfRole = Object.fromEntries(Object.entries(roleKeys).map(([key, role]) => [role, key])) as Record<SiteRole, string>;

/** People × sites, virtualized. Arrows move, Enter or a letter assigns, Delete revokes. */
export function GrantMatrix({ people, sites, table, draft, overrun, mayEdit, onEdit }: Props): ReactElement {
  const { t } = useTranslation('people');
  const frame = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState({ row: 0, column: 0 });
  const [menu, setMenu] = useState<{ readonly anchor: HTMLElement; readonly key: string } | null>(null);
  // Room for a second line only if a name needs it: otherwise there would be an empty band above the names.
  const headHeight = useMemo(() => (sites.some((site) => widthOf(site.name) > cellWidth - 16) ? twoLines : rowHeight), [sites]);
  const rows = useVirtualizer({
    count: people.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    paddingStart: headHeight,
    scrollPaddingStart: headHeight,
    overscan: 8,
    initialRect: { width: 1100, height: 640 },
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: sites.length,
    getScrollElement: () => frame.current,
    estimateSize: () => cellWidth,
    paddingStart: nameWidth,
    scrollPaddingStart: nameWidth,
    overscan: 4,
    initialRect: { width: 1100, height: 640 },
  });
  const shownColumns = columns.getVirtualItems();
  const before = (shownColumns[0]?.start ?? nameWidth) - nameWidth;

  const go = (row: number, column: number) => {
    const next = { row: Math.min(people.length - 1, Math.max(0, row)), column: Math.min(sites.length - 1, Math.max(0, column)) };
    setAt(next);
    rows.scrollToIndex(next.row);
    columns.scrollToIndex(next.column);
    // The cell may have to be rendered first.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        frame.current?.querySelector<HTMLElement>(`[data-cell="${String(next.row)}:${String(next.column)}"]`)?.focus({ preventScroll: true }),
      ),
    );
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const cell = event.target as HTMLElement;
    if (cell.dataset['cell'] === undefined || event.altKey) return;
    const person = people[at.row];
    const site = sites[at.column];
    if (!person || !site) return;
    const whole = event.ctrlKey || event.metaKey;
    const key = keyOf(person.id, site.id);
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowDown: [at.row + 1, at.column],
      ArrowUp: [at.row - 1, at.column],
      ArrowRight: [at.row, at.column + 1],
      ArrowLeft: [at.row, at.column - 1],
      Home: [whole ? 0 : at.row, 0],
      End: [whole ? people.length - 1 : at.row, sites.length - 1],
      PageDown: [at.row + 10, at.column],
      PageUp: [at.row - 10, at.column],
    };
    const move = moves[event.key];
    const role = whole ? undefined : roleKeys[event.key.toLowerCase()];
    if (move) go(...move);
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
  const textOf = (role: SiteRole | null) => (role === null ? t('grants.none') : t(`siteRole.${role}`));
  const sticky = { position: 'sticky', bgcolor: 'background.default', zIndex: 1 } as const;

  return (
    <>
      <Box
        ref={frame}
        sx={{
          overflow: 'auto',
          maxHeight: 'max(320px, calc(100dvh - 400px))',
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          position: 'relative',
          fontSize: 13,
        }}
      >
        <Box
          role="grid"
          aria-label={t('grants.matrix')}
          aria-rowcount={people.length + 1}
          aria-colcount={sites.length + 1}
          onKeyDown={onKeyDown}
          sx={{ position: 'relative', width: columns.getTotalSize(), height: rows.getTotalSize() }}
        >
          <Box
            role="row"
            aria-rowindex={1}
            sx={{ ...sticky, top: 0, zIndex: 3, display: 'flex', height: headHeight, width: columns.getTotalSize(), borderBottom: 1, borderColor: 'divider' }}
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
                fontSize: 12,
                fontWeight: 500,
                borderRight: 1,
                borderColor: 'divider',
              }}
            >
              {t('column.name')}
            </Box>
            <Box aria-hidden sx={{ flex: 'none', width: before }} />
            {shownColumns.map((column) => (
              <Box
                key={column.key}
                role="columnheader"
                aria-colindex={column.index + 2}
                title={sites[column.index]?.name}
                sx={{ flex: 'none', width: cellWidth, px: 1, pb: 0.75, display: 'flex', alignItems: 'flex-end', fontSize: 12, lineHeight: 1.35 }}
              >
                <Box
                  component="span"
                  sx={{ display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical', overflow: 'hidden', overflowWrap: 'anywhere' }}
                >
                  {sites[column.index]?.name}
                </Box>
              </Box>
            ))}
          </Box>
          {rows.getVirtualItems().map((item) => {
            const person = people[item.index];
            if (!person) return null;
            const editable = mayEdit(person);
            return (
              <Box
                key={item.key}
                role="row"
                aria-rowindex={item.index + 2}
                sx={{
                  position: 'absolute',
                  top: 0,
                  left: 0,
                  display: 'flex',
                  width: columns.getTotalSize(),
                  height: rowHeight,
                  borderBottom: 1,
                  borderColor: 'divider',
                  '&:hover > *': { bgcolor: 'action.hover' },
                }}
                style={{ transform: `translateY(${String(item.start)}px)` }}
              >
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
                  <Box component="span" sx={{ ml: 1, fontSize: 12, color: 'text.secondary' }}>
                    {person.state === 'disabled' ? t('state.disabled') : person.role === 'member' ? person.loginName : t(`role.${person.role}`)}
                  </Box>
                </Box>
                <Box aria-hidden sx={{ flex: 'none', width: before }} />
                {shownColumns.map((column) => {
                  const site = sites[column.index];
                  if (!site) return null;
                  const key = keyOf(person.id, site.id);
                  const role = shownRole(table, draft, key);
                  const edited = draft[key] !== undefined;
                  const active = at.row === item.index && at.column === column.index;
                  return (
                    <Box
                      key={column.key}
                      role="gridcell"
                      aria-colindex={column.index + 2}
                      aria-disabled={!editable}
                      data-cell={`${String(item.index)}:${String(column.index)}`}
                      tabIndex={active ? 0 : -1}
                      onFocus={() => setAt({ row: item.index, column: column.index })}
                      onClick={(event) => {
                        event.currentTarget.focus({ preventScroll: true });
                        if (editable) setMenu({ anchor: event.currentTarget, key });
                      }}
                      {...(edited && { title: t('grants.wasBefore', { role: textOf(table.get(key) ?? null) }) })}
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
                      {overrun.has(key) && (
                        <Box component="span" sx={{ display: 'inline-flex', color: 'warning.main' }} title={t('grants.overrunCell')}>
                          <Icon name="warning" size={14} />
                        </Box>
                      )}
                      {role === null ? (
                        <>
                          <span aria-hidden="true">{edited ? '–' : '·'}</span>
                          <span className="only-read">{textOf(null)}</span>
                        </>
                      ) : (
                        textOf(role)
                      )}
                      {edited && <span className="only-read">{t('grants.unsaved')}</span>}
                    </Box>
                  );
                })}
              </Box>
            );
          })}
        </Box>
      </Box>
      <Typography variant="caption" component="p" sx={{ mt: 1, color: 'text.secondary' }}>
        {t('grants.keys')}
      </Typography>
      <Menu
        open={menu !== null}
        anchorEl={menu?.anchor ?? null}
        onClose={() => setMenu(null)}
        slotProps={{ list: { 'aria-label': t('grants.chooseRole'), dense: true } }}
      >
        {siteRoles.map((role) => (
          <MenuItem
            key={role}
            selected={menu !== null && shownRole(table, draft, menu.key) === role}
            onClick={() => choose(role)}
            sx={{ gap: 3, justifyContent: 'space-between' }}
          >
            {textOf(role)}
            <Kbd keys={keyOfRole[role]} />
          </MenuItem>
        ))}
        <MenuItem onClick={() => choose(null)} sx={{ gap: 3, justifyContent: 'space-between', borderTop: 1, borderColor: 'divider' }}>
          {t('grants.take')}
          <Kbd keys="Del" />
        </MenuItem>
      </Menu>
    </>
  );
}
