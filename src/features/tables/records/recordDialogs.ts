/** The dialogs of the records, whose forms bring the code that validates them: one part, loaded with the first of them. */
export { BulkDialog } from './BulkDialog';
export { FailedPublicationsDialog } from './FailedPublicationsDialog';
export { NewTableDialog } from './NewTableDialog';
export { PasteDialog } from './PasteDialog';
export { RecordDialog } from './RecordDialog';
export { TablesDrawer } from './TablesDrawer';
export { UnsavedDialog } from './UnsavedDialog';
export { ViewDialog } from './ViewDialog';
