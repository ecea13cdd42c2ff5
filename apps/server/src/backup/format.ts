/**
 * The file of a backup: one readable line, then a zstd stream of frames. A frame is a type (1 byte), a length (4 bytes)
 * and so many bytes. A header, then for each table and stored file: part, data..., end; a trailer closes the file.
 * With a passphrase the whole stream is encrypted (encryption.ts).
 */
import { type Phrase, phrase, type Words } from '@ithings/contract/text.ts'
import * as z from 'zod'
import { TerminalError } from '#terminal.ts'

export const formatName = 'ithings-core-backup'
export const formatVersion = 1
/** For people who look into the file, and to tell a foreign file before anything is unpacked. */
export const firstLine = `${formatName} ${formatVersion} zstd\n`
/** A number of its own: earlier programs then say that they are too old for it. */
export const encryptedVersion = 2
export const encryptedFirstLine = `${formatName} ${encryptedVersion} zstd aes-256-gcm scrypt\n`

export const frame = { header: 1, part: 2, data: 3, end: 4, trailer: 5 } as const
export const frameHeadBytes = 5
/** Descriptions name every table and column; data comes in small bites. More is not written, so it is damage. */
export const maxFrameBytes = 16 * 1024 * 1024

/** A refusal that is meant for the person at the terminal. */
export class BackupError extends TerminalError {}
export const damaged = (why: Words, cause?: unknown) =>
  new BackupError(phrase('文件已损坏或不完整：{why}', { why }), cause === undefined ? {} : { cause })

const tableName = z.object({ schema: z.enum(['public', 'parts']), name: z.string().min(1).max(63) })
const count = z.int().min(0)

export const headerSchema = z.object({
  format: z.literal(formatVersion),
  /** Of the program that made it. */
  program: z.string(),
  createdAt: z.iso.datetime(),
  /** A database of an earlier version kept no checksums. */
  migrations: z.array(z.object({ version: z.int().min(1), file: z.string(), checksum: z.string().nullish() })).min(1),
  tables: z.array(tableName.extend({ columns: z.array(z.string().min(1).max(63)) })),
  sequences: z.array(
    z.object({ name: z.string().min(1).max(63), last: z.string().regex(/^\d+$/), called: z.boolean() }),
  ),
})
export type Header = z.infer<typeof headerSchema>
export type TableInfo = Header['tables'][number]

export const partSchema = z.discriminatedUnion('kind', [
  tableName.extend({ kind: z.literal('table') }),
  z.object({ kind: z.literal('file'), path: z.string().min(1) }),
  /** The key that the platform made for the secrets in its database (secret-key.ts). */
  z.object({ kind: z.literal('key') }),
])
export type Part = z.infer<typeof partSchema>

/** After a part: what it was made of. Rows of a table are lines of COPY's text format; a file has none. */
export const endSchema = z.object({ bytes: count, rows: count, sha256: z.hash('sha256') })
export type PartEnd = z.infer<typeof endSchema>

export const trailerSchema = z.object({
  tables: count,
  rows: count,
  files: count,
  bytes: count,
  /** Of the header and all ends in their order: no part is missing, twice or from another backup. */
  sha256: z.hash('sha256'),
})
export type Trailer = z.infer<typeof trailerSchema>

export function partName(part: Part): Phrase {
  if (part.kind === 'table') return phrase('表 {table}', { table: `${part.schema}.${part.name}` })
  return part.kind === 'file' ? phrase('文件 {path}', { path: part.path }) : phrase('钥匙')
}
