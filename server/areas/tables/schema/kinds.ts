import type { StoredField } from '../core/ddl';
import type { contentFields } from '../core/schema';

type Row = Pick<typeof contentFields.$inferInsert, 'id' | 'type' | 'isUnique' | 'indexed'>;
/** The storage-related part of a definition row. */
export const storedField = (row: Row): StoredField => ({ id: row.id, type: row.type, isUnique: row.isUnique ?? false, indexed: row.indexed ?? false });
