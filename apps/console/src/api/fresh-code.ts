/** A call is refused until the second factor is given anew: the shell is asked to ask, once for all such calls. */
import { makeSignal } from './signal.ts'

export const freshCodeWanted = makeSignal<(verified: boolean) => void>()

let asking: Promise<boolean> | undefined

/** True when the code was right and the call may be repeated. */
export function askFreshCode(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => freshCodeWanted.emit(resolve)).finally(() => {
    asking = undefined
  })
  return asking
}
