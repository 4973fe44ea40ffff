/** Derives visitor properties from a hit. Every function is pure, caches results where useful, and never throws. */
export { maskAddress, readAddress, usableAddress } from './address';
export { botSignals, withReason, type BotSignals } from './bots';
export { databaseKey, openCountries, torKey, type Countries, type StoredTorExits, type TorExits } from './countries';
export { openCountryDatabase, type CountryDatabase } from './country';
export { deviceOf, type Device } from './device';
export { hintsOf } from './hints';
export { placeOf } from './place';
export { sourceOf, type Source } from './source';
export { isReferrerSpam } from './spam';
export { deviceTextOf, placeTextOf } from './placeText';
