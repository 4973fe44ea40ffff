/** A UUID as part of a regular expression, which has to ignore case where the text was not written by this program. */
export const uuidPattern = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`;

const whole = new RegExp(`^${uuidPattern}$`, 'i');
/** Whether a value is the text of a UUID. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && whole.test(value);
