/** Stored files by path (`business/scene/name`). The only room that knows where bytes lie is the engine. */
import type { Readable } from 'node:stream'

/** Where half-written content lies until it is whole; what a crash left there goes with the cleaning. */
export const partFolder = '.part'

export interface StoredFile {
  size: number
}

/** Of exactly the bytes that were stored; hex. */
export interface StoredCopy extends StoredFile {
  path: string
  md5: string
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
  /** Writes into a file that is there, from a position on; what came before a cut stays. */
  writeAt(path: string, content: Readable, position: number): Promise<void>
  /** A copy that nobody who still holds the original can change; its place may be named by its digests. */
  copy(from: string, place: (digests: Pick<StoredCopy, 'md5' | 'sha256'>) => string): Promise<StoredCopy>
  /** Takes over a file of the machine, which is gone then; cheap when it lies in `partFolder`. */
  adopt(machinePath: string, path: string): Promise<void>
  read(path: string, range?: ByteRange): Readable
  stat(path: string): Promise<FileStat | undefined>
  move(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  /** Paths below a folder that are older than the time, for cleaning. */
  olderThan(folder: string, time: number): Promise<string[]>
  /** Bytes that can still be stored. */
  room(): Promise<number>
}
