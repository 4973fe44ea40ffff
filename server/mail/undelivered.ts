import { oneLine } from './render';

/** A message was not delivered. `message` is for people and contains no secret; `forGood`: retrying would not help. */
export class Undelivered extends Error {
  override readonly name = 'Undelivered';
  readonly forGood: boolean;

  constructor(said: string, forGood: boolean) {
    super(cleaned(said));
    this.forGood = forGood;
  }
}

const longest = 300;

/** A server's response in one line; links to the console may contain one-time tokens, so everything after `#` is removed. */
export const cleaned = (said: string): string => oneLine(said.replaceAll(/(https?:\/\/[^\s#]*)#\S*/g, '$1')).slice(0, longest);
