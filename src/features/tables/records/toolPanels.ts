/** The panels of the toolbar: one part, loaded with the first of them. */
export { FilterPanel } from './FilterPanel';
export { HistoryPanel } from './HistoryPanel';
export { FieldsPanel, GroupPanel, LookPanel, SortPanel } from './panels';
