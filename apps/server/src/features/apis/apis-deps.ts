import type { Common } from '#common-deps.ts'

/** What the operations on APIs need; made once in app/. */
export type ApisDeps = Common<'db' | 'signal'>
