import { crc32, deflateRawSync } from 'node:zlib';

/** A zip archive of some texts, as archivers write it (APPNOTE 4.3). */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const packed = deflateRawSync(data);
    const sums = Buffer.alloc(16);
    sums.writeUInt32LE(crc32(data), 4);
    sums.writeUInt32LE(packed.length, 8);
    sums.writeUInt32LE(data.length, 12);
    const names = Buffer.alloc(4);
    names.writeUInt16LE(name.length, 0);
    const head = Buffer.from([20, 0, 0, 0, 8, 0]);
    const entry = Buffer.concat([head, sums, names, Buffer.from(name), packed]);
    local.push(Buffer.from('PK\u0003\u0004', 'latin1'), entry);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\u0001\u0002', 'latin1'), Buffer.from([20, 0]), head, sums, names, place, Buffer.from(name));
    offset += 4 + entry.length;
  }
  const size = central.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...central, end]);
}
