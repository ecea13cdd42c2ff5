import * as contract from '@ithings/contract/features/settings.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { readConfig } from './read-config.ts'
import { readSettings } from './read-settings.ts'
import type { SettingsDeps } from './settings-deps.ts'
import { updateSettings } from './update-settings.ts'

/** What the environment decides and everybody may know. */
export type PublicConfig = SettingsDeps['config']

export const settingsRoutes = (deps: SettingsDeps): MountedEndpoint[] => [
  on(contract.readConfig, () => readConfig(deps), { perMinute: 600 }),
  on(contract.readSettings, () => readSettings(deps.db)),
  on(contract.updateSettings, (input) => updateSettings(deps, input)),
]
