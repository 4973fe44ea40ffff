import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { resourceLimits } from '../../../../contract/resources/terms';
import type { ResourceKind } from '../../../../contract/resources/terms';
import { usesOf } from '../../../../contract/tables/fieldTypes';
import { safeName } from '../../../../contract/text';
import type { Context } from '../../../context';
import { JobInterrupted } from '../../../worker';
import type { RunningJob } from '../../../worker';
import { CarriedDetails, DamagedContent, bringResource, detectBytes, detectType, downloadHash } from '../../resources';
import { idOf } from '../core/ids';
import type { BroughtFiles } from '../core/values/broughtFiles';
import { addedFiles } from './addedFiles';
import { contentOf, openArchive } from './archive';
import type { Archive } from './archive';
import { uploadOf } from './uploads';
import type { StoredRow } from './files';
import type { Target } from './plan';
import type { ImportRow } from './queries';
import { ReadStop } from './read/source';
import { uuidPattern } from '../../../../contract/uuid';
import { sha256Of } from '../../../kit/sha256';

type Details = z.output<typeof CarriedDetails>;

/** Files that came with rows: in a dry run, the kinds of those that will be added; else the resources that took their place. */
export type RowFiles = { readonly incoming: ReadonlyMap<string, ResourceKind>; readonly brought: BroughtFiles };

/** Files of an archive that rows of its table name. Ids are those of the archive. */
export type ArchivedFiles = {
  /** Those that are named in columns for fields that use resources. */
  readonly namedIn: (rows: readonly StoredRow[], targets: readonly Target[]) => readonly string[];
  /** Their kinds, as far as their beginnings tell: what claims to be an image may turn out not to be one. */
  readonly kindsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, ResourceKind>>;
  /** Stores them in the site, as far as it does not have them; the ids of the resources that take their place. Repeating it adds none twice. */
  readonly bring: (ids: readonly string[], createdBy: string) => Promise<BroughtFiles>;
  readonly close: () => void;
};

/** What the archive says of its files, by id. Lines that cannot be read are left out: the files come without texts then. */
async function detailsIn(archive: Archive): Promise<ReadonlyMap<string, Details>> {
  const details = new Map<string, Details>();
  if (archive.details === null) return details;
  const lines = createInterface({ input: Readable.from(contentOf(archive, archive.details)), crlfDelay: Infinity });
  for await (const line of lines) {
    const read = CarriedDetails.safeParse(jsonOf(line));
    if (read.success && archive.files.has(read.data.id)) details.set(read.data.id, read.data);
  }
  return details;
}
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Details of a file of which the archive says nothing. */
function plainDetails(id: string, name: string): Details {
  const safe = safeName(resourceLimits.name).safeParse(name);
  return CarriedDetails.parse({
    id,
    name: safe.success ? safe.data : 'file',
    title: {},
    alt: {},
    caption: {},
    tags: [],
    visibility: 'public',
    focalX: 0.5,
    focalY: 0.5,
  });
}

const idInText = new RegExp(uuidPattern, 'gi');
/** Ids in a cell: in addresses, as such, or within JSON. */
const idsInCell = (cell: StoredRow['cells'][number] | undefined): string[] =>
  [...(typeof cell === 'string' ? cell : JSON.stringify(cell ?? null)).matchAll(idInText)].map(([id]) => id.toLowerCase());

async function kindOf(archive: Archive, id: string): Promise<ResourceKind | null> {
  const file = archive.files.get(id);
  if (!file) return null;
  const head: Buffer[] = [];
  let size = 0;
  for await (const chunk of contentOf(archive, file.entry)) {
    head.push(chunk);
    size += chunk.length;
    if (size >= detectBytes) break;
  }
  return (await detectType(Buffer.concat(head).subarray(0, detectBytes))).kind;
}

/** The files of an uploaded archive; null if it is none. Close it when done. `job`: stops between two files when it is cancelled. */
export async function openArchivedFiles(
  ctx: Context,
  job: Pick<RunningJob, 'cancelled'>,
  { id: importId, siteId, name }: Pick<ImportRow, 'id' | 'siteId' | 'name'>,
): Promise<ArchivedFiles | null> {
  const archive = await openArchive(uploadOf(ctx, importId), name);
  if (archive === null) return null;
  const kinds = new Map<string, ResourceKind>();
  const brought = new Map<string, string>();
  const added = addedFiles(ctx, importId);
  let reading: Promise<ReadonlyMap<string, Details>> | null = null;

  /** The resource that takes the place of a file: one of the site with its content, or a new one. */
  async function bringOne(id: string, createdBy: string): Promise<{ readonly id: string; readonly isNew: boolean } | null> {
    const file = archive?.files.get(id);
    if (!archive || !file) return null;
    const details = (await (reading ??= detailsIn(archive))).get(id) ?? plainDetails(id, file.name);
    const sha256 = await sha256Of(contentOf(archive, file.entry));
    const uploadId = idOf(importId, id);
    // A resource of the site with this id whose content is another one is not what the archive contains.
    const isSame = (await downloadHash(ctx, siteId, id)) === sha256;
    const carried = { ...details, id: isSame ? id : uploadId, sha256, bytes: file.entry.uncompressedSize, poster: null, captions: [] };
    return bringResource(ctx, { siteId, createdBy, uploadId }, carried, contentOf(archive, file.entry));
  }

  return {
    namedIn(rows, targets) {
      const columns = targets.filter(({ field }) => usesOf(field.type) !== null).map(({ column }) => column);
      const ids = rows.flatMap(({ cells }) => columns.flatMap((column) => idsInCell(cells[column])));
      return [...new Set(ids)].filter((id) => archive.files.has(id));
    },
    async kindsOf(ids) {
      for (const id of ids) {
        const kind = kinds.get(id) ?? (await kindOf(archive, id));
        if (kind !== null) kinds.set(id, kind);
      }
      return kinds;
    },
    async bring(ids, createdBy) {
      const isNew: string[] = [];
      try {
        for (const id of ids) {
          if (job.cancelled) throw new JobInterrupted('stop');
          const resource = brought.has(id) ? null : await bringOne(id, createdBy);
          if (resource === null) continue;
          brought.set(id, resource.id);
          if (resource.isNew) isNew.push(resource.id);
        }
      } catch (error) {
        throw error instanceof DamagedContent ? new ReadStop('archive') : error;
      } finally {
        await added.add(isNew);
      }
      return brought;
    },
    close: () => archive.zip.close(),
  };
}
