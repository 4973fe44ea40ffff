import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { ContentTable } from '@contract/tables/schemas';
import { linkedTable } from '@/features/tables/records/relations';

const box = { width: 168, height: 44, gapX: 96, gapY: 28 } as const;

/** Tables as boxes in a circle and relations as arrows. The cards present the same information as text. */
export const Diagram = ({ tables, to }: { readonly tables: readonly ContentTable[]; readonly to: (id: string) => string }): ReactElement | null => {
  const { t } = useTranslation('tableSchemas');
  const navigate = useNavigate();
  const links = tables.flatMap((from) =>
    from.fields
      .filter(({ type }) => type === 'relation' || type === 'relations')
      .flatMap((field) => {
        const target = linkedTable(tables, field);
        return target && target.id !== from.id ? [{ id: field.id, from, target, name: field.title }] : [];
      }),
  );
  if (links.length === 0) return null;
  const linkedTables = tables.filter((table) => links.some(({ from, target }) => from.id === table.id || target.id === table.id));
  const columns = Math.min(4, Math.ceil(Math.sqrt(linkedTables.length)));
  const at = (table: ContentTable) => {
    const i = linkedTables.indexOf(table);
    return { x: 8 + (i % columns) * (box.width + box.gapX), y: 8 + Math.floor(i / columns) * (box.height + box.gapY) };
  };
  const width = 16 + columns * box.width + (columns - 1) * box.gapX;
  const height = 16 + Math.ceil(linkedTables.length / columns) * (box.height + box.gapY) - box.gapY;
  return (
    <Box role="group" aria-label={t('schemas.diagram')} tabIndex={0} sx={{ overflowX: 'auto', mb: 2 }}>
      <svg width={width} height={height} viewBox={`0 0 ${String(width)} ${String(height)}`} role="img" aria-label={t('schemas.diagram')}>
        <defs>
          <marker id="design-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
            <path d="M0 0 8 4 0 8z" fill="var(--ink-2)" />
          </marker>
        </defs>
        {links.map(({ id, from, target, name }) => {
          const a = at(from);
          const b = at(target);
          const flat = a.y === b.y;
          const right = b.x >= a.x;
          const x1 = flat || a.x !== b.x ? a.x + (right ? box.width : 0) : a.x + box.width / 2;
          const x2 = flat || a.x !== b.x ? b.x + (right ? 0 : box.width) : b.x + box.width / 2;
          const y1 = a.x === b.x ? a.y + (b.y > a.y ? box.height : 0) : a.y + box.height / 2;
          const y2 = a.x === b.x ? b.y + (b.y > a.y ? 0 : box.height) : b.y + box.height / 2;
          return (
            <line key={id} x1={x1} y1={y1} x2={x2} y2={y2} stroke="var(--ink-2)" markerEnd="url(#design-arrow)">
              <title>{`${from.title} · ${name} → ${target.title}`}</title>
            </line>
          );
        })}
        {linkedTables.map((table) => {
          const { x, y } = at(table);
          return (
            <g key={table.id} style={{ cursor: 'pointer' }} onClick={() => void navigate(to(table.id))}>
              <rect x={x} y={y} width={box.width} height={box.height} rx="6" fill="var(--canvas)" stroke="var(--n-4)" />
              <text x={x + box.width / 2} y={y + box.height / 2 + 5} textAnchor="middle" fill="var(--ink)" fontSize="var(--text-body)">
                {table.title.length > 14 ? `${table.title.slice(0, 13)}…` : table.title}
              </text>
            </g>
          );
        })}
      </svg>
    </Box>
  );
};
