import { oneLine } from './render';

/** A message did not get through. `message` is for people and holds no secret; `forGood`: trying again would not help. */
export class Undelivered extends Error {
  override readonly name = 'Undelivered';
  readonly forGood: boolean;

  constructor(said: string, forGood: boolean) {
    super(cleaned(said));
    this.forGood = forGood;
  }
}

const longest = 300;

/** What a server said, in one line; links to us may hold one-time tokens and lose everything behind `#`. */
export const cleaned = (said: string): string => oneLine(said.replaceAll(/(https?:\/\/[^\s#]*)#\S*/g, '$1')).slice(0, longest);
