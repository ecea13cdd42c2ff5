import type { Common } from '#common-deps.ts'

/** What the operations on menus need; made once in app/. */
export type MenusDeps = Common<'db' | 'signal'>
