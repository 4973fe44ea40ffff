/** What a hit tells about its visitor. Every function is pure, remembers its answers where that pays, and never throws. */
export { maskAddress, readAddress, usableAddress } from './address';
export { botSignals, withReason, type BotReason, type BotSignals } from './bots';
export { deviceOf, type Device } from './device';
export { hintsOf, type Hints } from './hints';
export { placeOf, type Place } from './place';
export { sourceOf, type Source } from './source';
export { isReferrerSpam } from './spam';
export { deviceWords, placeWords } from './placeWords';
