import { configHeldLabels, pushStateLabels, pushStatusLabels } from '@ithings/contract/features/remote-config.ts'
import { looksOf } from '#blocks/rollout/words.ts'

/** Of a push: going on, over, cancelled, waiting for devices that are away. */
export const pushStatusLooks = looksOf(pushStatusLabels, { 1: 'processing', 2: 'success', 3: 'default', 4: 'warning' })

/** Of a device in a push: not yet, delivered, failed, cancelled. */
export const pushStateLooks = looksOf(pushStateLabels, { 1: 'warning', 2: 'success', 3: 'error', 4: 'default' })

/** Of a device: it has the newest version, an older one, none. */
export const heldLooks = looksOf(configHeldLabels, { 1: 'success', 2: 'warning', 3: 'default' }, [3])
