/** A failure that is printed as one line, without a stack. */
export class Failed extends Error {
  name = 'Failed';
}
