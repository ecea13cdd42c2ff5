/** What this browser knows of the first steps, without asking anybody. */
import { guardedStore } from '#api/text-store.ts'

const store = guardedStore(() => localStorage)
const awayKey = 'iThings-first-steps-away'
const doneKey = 'iThings-first-steps-done'

export const isPutAway = (): boolean => store.get(awayKey) !== ''
export const putStepsAway = (): void => store.set(awayKey, '1')

/** Undefined: nobody can tell, because the demo fleet stands in the way. */
export const noteNeeded = (needed: boolean | undefined): void =>
  store.set(doneKey, needed === undefined ? '' : needed ? '0' : '1')
/** Nobody on a platform that is at work loads the line for it. */
export const mayNeedSteps = (): boolean => !isPutAway() && store.get(doneKey) !== '1'
