import type { Migration } from './database.ts'

/** The tables of `bridge.db` that the store itself owns; other folders add theirs through `migrationsOf`. */
const log = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE log (
    seq INTEGER PRIMARY KEY,
    ts INTEGER NOT NULL,
    type TEXT NOT NULL,
    kind TEXT NOT NULL,
    contact TEXT,
    correlation TEXT,
    hook TEXT,
    frame TEXT NOT NULL
  ) STRICT;
  CREATE INDEX log_kind ON log (kind, seq);
  CREATE INDEX log_contact ON log (contact, seq) WHERE contact IS NOT NULL;
`

/** All steps of the schema, the store's first. `tables` are the DDL of the folders above it, in a fixed order. */
export function migrationsOf(tables: readonly string[]): Migration[] {
  return [[log, ...tables].join(';\n')]
}
