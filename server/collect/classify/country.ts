import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Reader } from 'maxmind';
import type { Response } from 'maxmind';
import { readAddress } from './address';

type Found = Response & { readonly country_code?: string; readonly country?: { readonly iso_code?: string } };

/** The country of addresses, from one file for both address families. */
export type CountryDatabase = {
  /** ISO 3166-1 alpha-2; null: unknown, or the address has no country. Hong Kong, Macao and Taiwan have codes of their own. */
  readonly countryOf: (address: string) => string | null;
  /** When the file was built, epoch ms; null: there is no file that can be read. */
  readonly builtAt: number | null;
};

const noDatabase: CountryDatabase = { countryOf: () => null, builtAt: null };
const opened = new Map<string, CountryDatabase>();

/** The file of the package (CC0, 8 MB). Unlike the city files it knows both address families: a file of one gives wrong countries for the other. */
const packagedFile = (): string => createRequire(import.meta.url).resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb');

/** Throws if it is not a file in MaxMind's format. */
export function openCountryDatabase(content: Buffer): CountryDatabase {
  const reader = new Reader<Found>(content);
  return {
    builtAt: reader.metadata.buildEpoch.getTime(),
    countryOf(address) {
      const read = readAddress(address);
      if (!read || read.special) return null;
      const found = reader.get(read.text);
      const code = found?.country_code ?? found?.country?.iso_code ?? '';
      return /^[A-Z]{2}$/.test(code) ? code : null;
    },
  };
}

/**
 * Opens the database of countries that is installed, on first use, and remembers it: a file in MaxMind's format, or the packaged one. Never throws: a file that is missing or cannot be
 * read knows no country.
 */
export function installedDatabase(file: string | null): CountryDatabase {
  const name = file ?? '';
  const known = opened.get(name);
  if (known) return known;
  let database = noDatabase;
  try {
    database = openCountryDatabase(readFileSync(file ?? packagedFile()));
  } catch {
    // Rules do nothing without it, and the console says so.
  }
  opened.set(name, database);
  return database;
}
