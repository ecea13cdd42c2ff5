import * as contract from '@ithings/contract/features/settings.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { readConfig } from './read-config.ts'
import { readSettings } from './read-settings.ts'
import type { SettingsKit } from './settings-kit.ts'
import { updateSettings } from './update-settings.ts'

/** What the environment decides and everybody may know. */
export type PublicConfig = SettingsKit['config']

export const settingsRoutes = (kit: SettingsKit): MountedEndpoint[] => [
  on(contract.readConfig, () => readConfig(kit), { perMinute: 600 }),
  on(contract.readSettings, () => readSettings(kit.db)),
  on(contract.updateSettings, (input) => updateSettings(kit, input)),
]
