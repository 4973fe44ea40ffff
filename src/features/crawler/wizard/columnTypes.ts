/** Types of the columns of an extraction. */
export const columnTypes = ['text', 'number', 'date', 'url', 'boolean'] as const;
