/** Stored files by path (`business/scene/name`). The only room that knows where bytes lie is the engine. */
import type { Readable } from 'node:stream'

export interface StoredFile {
  size: number
  sha256: string
}

export interface FileStat {
  size: number
  modifiedAt: number
}

export interface ByteRange {
  start: number
  /** Inclusive. */
  end: number
}

export interface Files {
  /** Whole or not at all: a reader never sees half a file. Over maxBytes: a 100015 refusal; disk full: 900003. */
  write(path: string, content: Readable, maxBytes: number): Promise<StoredFile>
  read(path: string, range?: ByteRange): Readable
  stat(path: string): Promise<FileStat | undefined>
  move(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  /** Paths below a folder that are older than the time, for cleaning. */
  olderThan(folder: string, time: number): Promise<string[]>
}
