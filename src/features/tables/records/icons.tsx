import type Notes from '@mui/icons-material/NotesOutlined';
import Schedule from '@mui/icons-material/ScheduleOutlined';
import Calendar from '@mui/icons-material/CalendarMonthOutlined';
import Gallery from '@mui/icons-material/GridViewOutlined';
import Form from '@mui/icons-material/DynamicFormOutlined';
import Grid from '@mui/icons-material/TableRowsOutlined';
import Kanban from '@mui/icons-material/ViewKanbanOutlined';
import type { ReactElement } from 'react';
import type { ViewKind } from '@contract/tables/terms';
import type { TableField } from '@contract/tables/schemas';
import { consoleFieldTypeOf } from '../fieldTypes';
import type { FilterColumn } from './filterModel';

const ofKind: Record<ViewKind, typeof Notes> = { grid: Grid, gallery: Gallery, kanban: Kanban, calendar: Calendar, form: Form };

/** The icon of a field type; its name is shown beside it. */
export const FieldIcon = ({
  column,
  size = 16,
}: {
  readonly column: FilterColumn | { readonly field: Pick<TableField, 'type'> | null };
  readonly size?: number;
}): ReactElement => {
  const Drawn = column.field ? consoleFieldTypeOf(column.field.type).icon : Schedule;
  return <Drawn style={{ fontSize: size, color: 'var(--ink-2)' }} />;
};
export const ViewIcon = ({ kind, size = 16 }: { readonly kind: ViewKind; readonly size?: number }): ReactElement => {
  const Drawn = ofKind[kind];
  return <Drawn style={{ fontSize: size }} />;
};
