/** Stored files by path (`business/scene/name`). The only room that knows where bytes lie is the engine. */
import type { Readable } from 'node:stream'

/**
 * Where half-written content lies on the disk of this machine until it is whole, wherever files are kept then; what a
 * crash left there goes with the cleaning.
 */
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

export interface ListedFile extends FileStat {
  path: string
}

export interface ByteRange {
  start: number
  /** Inclusive. */
  end: number
}

export interface LinkWish {
  method: 'GET' | 'HEAD'
  seconds: number
  /** Makes it a download under that name; '': shown in place. */
  name: string
}

/** A file that arrives little by little, with cuts in between, at any of the servers. Nobody reads it before it is whole. */
export interface ArrivingFiles {
  /** Goes on from a position, which is not behind what is there; what came before a cut stays. */
  append(path: string, content: Readable, position: number): Promise<void>
  /** Bytes that are there, from the first one on without a gap; 0: nothing. */
  size(path: string): Promise<number>
  /** Whole from now on, and a file like any other. */
  finish(path: string, to: string): Promise<void>
  remove(path: string): Promise<void>
}

export interface Files {
  /** Whole or not at all: a reader never sees half a file. Over maxBytes: a 100015 refusal; no room: 900003. */
  write(path: string, content: Readable, maxBytes: number): Promise<StoredFile>
  /** A copy that nobody who still holds the original can change; its place may be named by its digests. */
  copy(from: string, place: (digests: Pick<StoredCopy, 'md5' | 'sha256'>) => string): Promise<StoredCopy>
  /** Takes over a file of the machine, which is gone then; cheap on a disk when it lies in `partFolder`. */
  adopt(machinePath: string, path: string): Promise<void>
  read(path: string, range?: ByteRange): Readable
  stat(path: string): Promise<FileStat | undefined>
  move(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  /** Everything below a folder; '': everything. */
  list(folder: string): AsyncIterable<ListedFile>
  /** Bytes that can still be stored. */
  room(): Promise<number>
  /** An address at which the store itself hands out a file, to whoever has it; undefined: it has none. */
  link(path: string, wish: LinkWish): Promise<string | undefined>
  arriving: ArrivingFiles
}
