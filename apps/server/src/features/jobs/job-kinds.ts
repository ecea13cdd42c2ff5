/** What a kind of job can do; features register their kinds in app/. */
import type { Readable } from 'node:stream'
import type { Language } from '@ithings/contract/text.ts'

export interface JobContext<Input> {
  jobID: string
  input: Input
  userID: number
  userName: string
  /** Of who asked for it: what its file is written in. */
  language: Language
  /** Stops when the job is cancelled, out of time, or this server stops. */
  signal: AbortSignal
  /** Stores the progress; throws when the job was cancelled meanwhile. */
  progress(done: number, total: number): Promise<void>
  /** Keeps a file as the job's result; one a job, replaced by a repeated try. */
  keepFile(name: string, content: Readable, options?: { once: boolean }): Promise<void>
}

export interface JobKind<Input extends object = object> {
  kind: string
  /** A repeated try must find what the first one left and go on (at-least-once). */
  run(context: JobContext<Input>): Promise<object | undefined>
  /** Before it is over without success, however that came, but not by cancelling. @param error a kept sentence */
  failed?(input: Input, error: string): Promise<void>
  tries?: number
  deadlineSeconds?: number
}

export const defaultTries = 3
export const defaultDeadlineSeconds = 1800
