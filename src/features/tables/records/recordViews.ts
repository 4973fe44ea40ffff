/** The views other than the grid: one part, loaded when the first of them is shown. */
export { CalendarView } from './CalendarView';
export { FormView } from './FormView';
export { GalleryView } from './GalleryView';
export { KanbanView } from './KanbanView';
