/** A failure that is told in one line, without a stack. */
export class Failed extends Error {
  name = 'Failed';
}
